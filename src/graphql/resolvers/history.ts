import { timeOfHistoryId } from '../../domain/ids.ts';
import { leastJsonBytes } from '../../domain/json/json-size.ts';
import type {
  HistoryRecord,
  ShownTrash,
  ShownVersion,
  TrashKey,
} from '../../services/history/history-reads.ts';
import type { Resolvers } from '../generated/schema.ts';
import { sizeOfLocations } from '../limits/operation-budget.ts';
import { remember } from '../loaders.ts';
import { readForward } from '../pages/history.ts';
import { connectionResolvers } from './connection.ts';

/** Locations that were left, in a response. */
const MAX_LEFT = 1_000;
/** Lower bounds for the JSON of an item without its values, in bytes. */
const VERSION_BYTES = 20;
const ENTRY_BYTES = 20;

const { edges, nodes, pageInfo } = connectionResolvers;
const forwardResolvers = { edges, nodes, pageInfo };
const edgeResolvers = { cursor: ({ cursor }: { readonly cursor: () => string }) => cursor() };

const isText = (value: unknown): value is string => typeof value === 'string';

export const historyResolvers = {
  Map: {
    history: (map, { filter, ...args }, context) =>
      readForward<HistoryRecord, string>(args, context, {
        connection: ['history', map.id, filter],
        name: "the map's history",
        keyOf: ({ id }) => id,
        toValues: (id) => [id],
        fromValues: ([id]) => (isText(id) ? id : null),
        read: (page) => context.services.history.listHistory(context.scope, map, page, filter ?? {}),
        sizeOf: () => ENTRY_BYTES,
      }),

    trash: (map, { search, ids, ...args }, context) =>
      readForward<ShownTrash, TrashKey>(args, context, {
        connection: ['trash', map.id, search, ids],
        name: "the map's trash",
        keyOf: ({ deletedBy, location: { id } }) => ({ deletedBy, locationId: id }),
        toValues: ({ deletedBy, locationId }) => [deletedBy, locationId],
        fromValues: ([deletedBy, locationId]) =>
          isText(deletedBy) && isText(locationId) ? { deletedBy, locationId } : null,
        read: (page) => context.services.history.listTrash(context.scope, map, page, { search, ids }),
        sizeOf: ({ location }) => sizeOfLocations([location]),
      }),
  },

  Location: {
    versions: async (location, args, context) => {
      const { loaders, scope, services } = context;
      const { id, mapId, view } = location;
      const map = await (view === 'public' ? loaders.publicMaps : loaders.maps).load(mapId);
      return readForward<ShownVersion, number>(args, context, {
        connection: ['versions', id],
        name: "the location's versions",
        keyOf: ({ version }) => version,
        toValues: (version) => [version],
        fromValues: ([version]) => (Number.isSafeInteger(version) ? Number(version) : null),
        read: (page) => services.history.listVersions(scope, map, location, page),
        sizeOf: ({ changes }) =>
          changes.reduce(
            (sum, { before, after }) => sum + leastJsonBytes(before) + leastJsonBytes(after),
            VERSION_BYTES,
          ),
      });
    },
  },

  LocationVersionConnection: forwardResolvers,
  LocationVersionEdge: edgeResolvers,
  HistoryConnection: forwardResolvers,
  HistoryEdge: edgeResolvers,
  TrashConnection: forwardResolvers,
  TrashEdge: edgeResolvers,

  LocationVersion: {
    changes: ({ changes }) => [...changes],
  },

  HistoryEntry: {
    at: ({ id }) => timeOfHistoryId(id),
    by: ({ actor }) => actor,
    created: ({ counts }) => counts.created,
    updated: ({ counts }) => counts.updated,
    moved: ({ counts }) => counts.moved,
    deleted: ({ counts }) => counts.deleted,
    locationIds: async (entry, _args, { scope, services, budget }) => {
      budget.reserveRows(1);
      return [...(await services.history.changedIds(scope, entry))];
    },
  },

  TrashedLocation: {
    deletedBy: ({ by }) => by,
    historyId: ({ deletedBy }) => deletedBy,
  },

  Actor: {
    name: async (actor, _args, { loaders }) => (await loaders.actors.load(actor)).name,
    owner: async (actor, _args, { loaders }) => (await loaders.actors.load(actor)).owner,
  },

  Mutation: {
    restoreLocations: async (_parent, { input }, { loaders, scope, services }) => {
      const { map, results, historyId } = await services.history.restoreLocations(
        scope,
        input.mapId,
        input.ids,
      );
      loaders.locations.clearAll();
      return {
        map: remember(loaders, map),
        results: results.map(({ id, location, error }) => ({
          id,
          location,
          error: error === null ? null : { code: error.code, message: error.message },
        })),
        historyId,
      };
    },

    purgeLocations: async (_parent, { input }, { loaders, scope, services }) => {
      const { map, purgedIds } = await services.history.purgeLocations(scope, input.mapId, input.ids);
      return { map: remember(loaders, map), purgedIds: [...purgedIds] };
    },

    restoreVersion: async (_parent, { input }, { loaders, scope, services }) => {
      const { mapId, id, version } = input;
      const { map, location, historyId } = await services.history.restoreVersion(scope, mapId, id, version);
      loaders.locations.clear({ map, id });
      return { location, map: remember(loaders, map), historyId };
    },

    undoChange: async (_parent, { input }, { loaders, scope, services }) => {
      const { mapId, historyId: undone, dryRun } = input;
      const isDryRun = dryRun ?? false;
      const { map, revertedIds, left, historyId } = await services.history.undoChange(scope, mapId, undone, {
        isDryRun,
      });
      loaders.locations.clearAll();
      return {
        map: remember(loaders, map),
        reverted: revertedIds.length,
        left: left.slice(0, MAX_LEFT).map(({ id, error: { code, message } }) => ({ id, code, message })),
        leftCount: left.length,
        historyId,
      };
    },
  },
} satisfies Resolvers;
