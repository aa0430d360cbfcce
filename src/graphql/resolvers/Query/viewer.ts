import { requireCaller } from '../../../services/caller.ts';
import type { QueryResolvers } from '../../generated/schema.ts';

export const viewer: QueryResolvers['viewer'] = (_parent, _args, { scope }) => requireCaller(scope.caller);
