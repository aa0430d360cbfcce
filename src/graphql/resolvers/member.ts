import { roleOn } from '../../services/authorization.ts';
import type { Resolvers } from '../generated/schema.ts';
import { remember } from '../loaders.ts';

export const memberResolvers = {
  Mutation: {
    updateMember: async (_parent, { input: { mapId, id, role } }, { loaders, scope, services }) => {
      const { map, member } = await services.members.updateMember(scope, mapId, id, role);
      return { map: remember(loaders, map), member };
    },

    removeMember: async (_parent, { input: { mapId, id } }, { loaders, scope, services }) => {
      await services.members.removeMember(scope, mapId, id);
      loaders.maps.clear(mapId);
      return { removedId: id };
    },

    leaveMap: async (_parent, { input: { mapId } }, { loaders, scope, services }) => {
      await services.members.leaveMap(scope, mapId);
      loaders.maps.clear(mapId);
      return { mapId };
    },
  },

  Map: {
    members: (map, _args, { scope, services, budget }) => {
      if (map.view !== 'public') budget.reserveRows(map.members.length);
      return budget.read(
        async () => [...(await services.members.listMembers(scope, map))],
        (members) =>
          members.reduce((bytes, { name, displayName }) => bytes + name.length + displayName.length, 0),
      );
    },

    myRole: (map, _args, { scope: { caller } }) =>
      caller === null || map.view === 'public' ? null : roleOn(caller, map),
  },
} satisfies Resolvers;
