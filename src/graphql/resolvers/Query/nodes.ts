import { MAX_PAGE_SIZE } from '../../../domain/paging/paging.ts';
import { badUserInput } from '../../../errors.ts';
import { requireCaller } from '../../../services/caller.ts';
import { findNode } from '../../find-node.ts';
import type { QueryResolvers } from '../../generated/schema.ts';

export const nodes: QueryResolvers['nodes'] = async (_parent, { ids }, context) => {
  requireCaller(context.scope.caller);
  if (ids.length > MAX_PAGE_SIZE) {
    throw badUserInput(`ids has ${ids.length} items; at most ${MAX_PAGE_SIZE} are allowed.`);
  }
  context.budget.reserveRows(ids.length);
  return Promise.all(ids.map((id) => findNode(id, context)));
};
