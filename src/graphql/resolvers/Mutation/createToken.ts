import type { MutationResolvers } from '../../generated/schema.ts';

export const createToken: MutationResolvers['createToken'] = (_parent, { input }, { scope, services }) =>
  services.ownTokens.createToken(scope, input);
