/**
 * The services in front of an upstream (capabilities §15). The doors are the same as over a store. What /v0 does not have
 * is refused, by the schema first (upstream/graphql/served.ts) and here for whoever else asks.
 */

import { requireCaller, requireNotDeleted } from '../../services/caller.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { asServiceError } from '../../domain/result.ts';
import type { Scope } from '../../services/scope.ts';
import type { Services } from '../../services/services.ts';
import type { ForwardedTokens } from './forwarded-tokens.ts';
import { unsupportedByUpstream } from './unsupported.ts';
import type { UpstreamService } from './upstream-service.ts';

/** Calls that one batch of a request's loaders makes at once. */
const CALLS_AT_ONCE = 8;

export function createUpstreamServices(upstream: UpstreamService, tokens: ForwardedTokens): Services {
  const findAll = <T>(keys: readonly string[], find: (key: string) => Promise<T>) =>
    mapConcurrently(keys, CALLS_AT_ONCE, (key) => find(key).catch((error: unknown) => asServiceError(error)));

  const authorize = async (scope: Scope, mapId: string, evenIfDeleted = false) => {
    requireCaller(scope.caller);
    // They are of an answer, and what is looked at for its form has none yet.
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
    maps: refusingOthers<Services['maps']>({
      // Rejects, and does not throw: it is a loader's batch.
      findMaps: async (scope, ids) => {
        requireCaller(scope.caller);
        return findAll(ids, (id) => upstream.findMap(scope, id));
      },
      // The upstream has decided who sees it.
      revealKey: (_caller, stored) => stored,
    }),
    locations: refusingOthers<Services['locations']>({
      findLocations: (scope, map, ids) => findAll(ids, (id) => upstream.findLocation(scope, map.id, id)),
    }),
    publicMaps: refusingOthers({}),
    search: refusingOthers({}),
    changes: refusingOthers<Services['changes']>({ close: () => {} }),
    exports: refusingOthers({}),
    geocoding: refusingOthers({}),
    ownTokens: refusingOthers({}),
    webhooks: refusingOthers({}),
    demoMap: { findPublished: () => Promise.resolve(null), remember: refuse('remember') },
    tokens: refusingOthers<Services['tokens']>({
      authenticate: (token) => Promise.resolve(tokens.callerOf(token)),
      saveUses: () => Promise.resolve(),
    }),
  };
}

function refuse(verb: string) {
  return (): Promise<never> => Promise.reject(unsupportedByUpstream(verb));
}

/** A service of which these verbs work; every other one rejects with BAD_USER_INPUT. */
function refusingOthers<S extends object>(verbs: Partial<S>): S {
  return new Proxy(verbs as S, {
    get: (target, name) => (Reflect.get(target, name) as unknown) ?? refuse(String(name)),
  });
}
