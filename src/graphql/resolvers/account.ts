import { MAX_SESSIONS } from '../../services/accounts/session-service.ts';
import type { Resolvers } from '../generated/schema.ts';

export const accountResolvers = {
  Viewer: {
    account: (_caller, _args, { scope, services }) => services.accounts.ofCaller(scope),

    sessions: (_caller, _args, { scope, services, budget }) => {
      budget.reserveRows(MAX_SESSIONS);
      return budget.read(
        async () => [...(await services.sessions.list(scope))],
        (sessions) => sessions.reduce((bytes, { userAgent }) => bytes + (userAgent?.length ?? 0), 0),
      );
    },
  },

  Session: {
    isCurrent: ({ id }, _args, { scope }) => id === scope.caller?.sessionId,
  },

  Mutation: {
    endSessions: async (_parent, { input }, { scope, services }) => ({
      endedIds: [...(await services.sessions.end(scope, input.ids ?? null))],
    }),

    changePassword: async (_parent, { input }, { scope, services }) => ({
      endedIds: [...(await services.passwords.change(scope, input))],
    }),
  },
} satisfies Resolvers;
