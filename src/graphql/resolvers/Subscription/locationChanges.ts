import type { SubscriptionResolvers } from '../../generated/schema.ts';
import type { LocationChangeSource } from '../../sources.ts';

/** Only a transport that streams begins a subscription, so there is one here. */
const NEVER_BLOCKED = { isBlocked: () => false };

export const locationChanges: SubscriptionResolvers['locationChanges'] = {
  subscribe: async (_parent, { mapId, since = null }, { scope, services, streaming }) =>
    services.changes.follow(scope, mapId, since, streaming ?? NEVER_BLOCKED),
  // Every subscriber's answer begins with the same object, so that equal answers are made once.
  resolve: (change: LocationChangeSource) => change,
};
