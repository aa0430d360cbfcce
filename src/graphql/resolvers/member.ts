import { roleOn } from '../../services/authorization.ts';
import type { Resolvers } from '../generated/schema.ts';

export const memberResolvers = {
  Map: {
    members: (map, _args, { scope, services, budget }) => {
      if (map.view !== 'public') budget.reserveRows(map.members.length);
      return budget.read(
        async () => [...(await services.members.listMembers(scope, map))],
        (members) => members.reduce((bytes, { name }) => bytes + name.length, 0),
      );
    },

    myRole: (map, _args, { scope: { caller } }) =>
      caller === null || map.view === 'public' ? null : roleOn(caller, map),
  },
} satisfies Resolvers;
