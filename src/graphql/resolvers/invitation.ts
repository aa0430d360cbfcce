import { MAX_INVITATIONS } from '../../domain/invitation.ts';
import { consoleLink } from '../../domain/secret-links.ts';
import type { Resolvers } from '../generated/schema.ts';
import { remember } from '../loaders.ts';

export const invitationResolvers = {
  Query: {
    invitation: (_parent, { secret }, { scope, services }) =>
      services.invitations.previewInvitation(scope, secret),
  },

  Mutation: {
    createInvitation: async (_parent, { input }, { scope, services }) => {
      const { invitation, secret } = await services.invitations.createInvitation(scope, input);
      return { invitation, secret, link: consoleLink(scope.baseUrl ?? '', 'join', secret) };
    },

    revokeInvitation: async (_parent, { input: { mapId, id } }, { scope, services }) => {
      await services.invitations.revokeInvitation(scope, mapId, id);
      return { revokedId: id };
    },

    acceptInvitation: async (_parent, { input: { secret } }, { loaders, scope, services }) => {
      const { map, role } = await services.invitations.acceptInvitation(scope, secret);
      return { map: remember(loaders, map), role };
    },
  },

  Map: {
    invitations: (map, _args, { scope, services, budget }) => {
      budget.reserveRows(MAX_INVITATIONS);
      return budget.read(
        async () => [...(await services.invitations.listInvitations(scope, map))],
        (invitations) => invitations.reduce((bytes, { note }) => bytes + (note ?? '').length, 0),
      );
    },
  },
} satisfies Resolvers;
