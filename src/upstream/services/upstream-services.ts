/**
 * The services of a gateway (capabilities §15), in place of those of a store. Methods without a counterpart in /v0 fail;
 * the schema refuses their fields before (upstream/graphql/served.ts).
 */

import { requireCaller, requireNotDeleted } from '../../services/caller.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { asServiceError } from '../../domain/result.ts';
import type { Scope } from '../../services/scope.ts';
import type { Services } from '../../services/services.ts';
import type { ForwardedTokens } from './forwarded-tokens.ts';
import { unsupportedByUpstream } from '../failures.ts';
import type { UpstreamService } from './upstream-service.ts';

/** Concurrent calls per batch of a request's loaders. */
const CONCURRENT_CALLS = 8;

export function createUpstreamServices(upstream: UpstreamService, tokens: ForwardedTokens): Services {
  const findAll = <T>(keys: readonly string[], find: (key: string) => Promise<T>) =>
    mapConcurrently(keys, CONCURRENT_CALLS, (key) =>
      find(key).catch((error: unknown) => asServiceError(error)),
    );

  const authorize = async (scope: Scope, mapId: string, evenIfDeleted = false) => {
    requireCaller(scope.caller);
    // The validators belong to the read that the response comes from, not to this one.
    scope.takeValidators?.();
    const map = await upstream.findMap(scope, mapId);
    return evenIfDeleted ? map : requireNotDeleted(map);
  };

  return {
    authorize: (scope, mapId, { evenIfDeleted }) => authorize(scope, mapId, evenIfDeleted),
    refuseWrite: async (scope, _operation, mapId, reason) => {
      await authorize(scope, mapId);
      throw reason;
    },
    maps: onlyWith<Services['maps']>({
      // Async, so that it rejects: loaders do not expect a throw.
      findMaps: async (scope, ids) => {
        requireCaller(scope.caller);
        return findAll(ids, (id) => upstream.findMap(scope, id));
      },
      // The upstream only sends keys that the caller may see.
      revealKey: (_caller, map, name) => map[name],
    }),
    locations: onlyWith<Services['locations']>({
      findLocations: (scope, map, ids) => findAll(ids, (id) => upstream.findLocation(scope, map.id, id)),
    }),
    locationBatches: onlyWith({}),
    publicMaps: onlyWith({}),
    search: onlyWith({}),
    history: onlyWith({}),
    changes: onlyWith<Services['changes']>({ close: () => {} }),
    exports: onlyWith({}),
    tiles: onlyWith({}),
    geocoding: onlyWith({}),
    ownTokens: onlyWith({}),
    webhooks: onlyWith({}),
    members: onlyWith({}),
    invitations: onlyWith({}),
    mapLinks: onlyWith({}),
    demoMap: {
      findPublished: () => Promise.resolve(null),
      findOwner: () => Promise.resolve(null),
      addOwner: refuse('addOwner'),
      remember: refuse('remember'),
    },
    accounts: onlyWith({}),
    passwords: onlyWith({}),
    provider: onlyWith({}),
    // A gateway reads no cookie.
    sessions: onlyWith<Services['sessions']>({ saveUses: () => Promise.resolve() }),
    tokens: onlyWith<Services['tokens']>({
      authenticate: (token) => Promise.resolve(tokens.callerOf(token)),
      saveUses: () => Promise.resolve(),
    }),
  };
}

function refuse(method: string) {
  return (): Promise<never> => Promise.reject(unsupportedByUpstream(method));
}

/** A service with these methods; all others reject with BAD_USER_INPUT. */
function onlyWith<S extends object>(methods: Partial<S>): S {
  return new Proxy(methods as S, {
    get: (target, name) => (Reflect.get(target, name) as unknown) ?? refuse(String(name)),
  });
}
