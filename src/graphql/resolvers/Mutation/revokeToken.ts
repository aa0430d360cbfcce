import type { MutationResolvers } from '../../generated/schema.ts';

export const revokeToken: MutationResolvers['revokeToken'] = async (
  _parent,
  { input },
  { scope, services },
) => {
  await services.ownTokens.revokeToken(scope, input.id);
  return { revokedId: input.id };
};
