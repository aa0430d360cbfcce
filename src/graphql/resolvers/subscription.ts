import type { Resolvers } from '../generated/schema.ts';
import type { LocationChangeSource } from '../source-types.ts';

/** Satisfies the types: only transports that stream start subscriptions. */
const NEVER_BLOCKED = { isBlocked: () => false };

export const subscriptionResolvers = {
  Subscription: {
    locationChanges: {
      subscribe: async (_parent, { mapId, since = null }, { scope, services, streaming }) =>
        services.changes.follow(scope, mapId, since, streaming ?? NEVER_BLOCKED),
      // Every subscriber gets the same object, so that equal responses are built once.
      resolve: (change: LocationChangeSource) => change,
    },
  },
} satisfies Resolvers;
