import { requireCaller } from '../../../services/caller.ts';
import { findNode } from '../../find-node.ts';
import type { QueryResolvers } from '../../generated/schema.ts';

export const node: QueryResolvers['node'] = (_parent, { id }, context) => {
  requireCaller(context.scope.caller);
  return findNode(id, context);
};
