/** Has every verb that writes leave a line in the audit log. The names are those of the mutations. */

import { ServiceError } from '../../errors.ts';
import type { Audit, Outcome, Subject } from './audit.ts';
import { codeOf, NO_SUBJECT } from './audit.ts';
import type { Scope } from '../scope.ts';
import type { SearchService } from '../search/search-service.ts';
import type { LocationService } from '../locations/location-service.ts';
import type { MapService } from '../maps/map-service.ts';
import type { OwnTokenService } from '../tokens/own-tokens.ts';
import type { TokenService } from '../tokens/token-service.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';

/** The services with verbs that write. */
export interface WritingServices {
  readonly maps: MapService;
  readonly locations: LocationService;
  readonly search: SearchService;
  readonly ownTokens: OwnTokenService;
  readonly tokens: TokenService;
  readonly webhooks: WebhookService;
  readonly refuseWrite: (scope: Scope, operation: string, mapId: string, reason: unknown) => Promise<never>;
}

/** What a verb has done. */
interface Done extends Subject {
  readonly outcome: Outcome;
}

/** What a verb about a map is given. */
type OfMap = readonly [mapId: string, ...rest: readonly unknown[]];

type Verb<Given extends readonly unknown[], Result> = (scope: Scope, ...given: Given) => Promise<Result>;

/** @param services are changed in place, before anybody has them */
export function auditWrites(services: WritingServices, audit: Audit): void {
  const audited =
    <Given extends readonly unknown[], Result>(
      operation: string,
      verb: Verb<Given, Result>,
      subjectOf: (given: NoInfer<Given>) => Subject,
      doneOf: (result: NoInfer<Result>, given: NoInfer<Given>) => Done,
    ): Verb<Given, Result> =>
    async (scope, ...given) => {
      let result: Result;
      try {
        result = await verb(scope, ...given);
      } catch (error) {
        audit.note(scope, operation, subjectOf(given), codeOf(error));
        throw error;
      }
      const { outcome, ...subject } = doneOf(result, given);
      audit.note(scope, operation, subject, outcome);
      return result;
    };

  const { maps, locations, search, ownTokens, tokens, webhooks, refuseWrite } = services;
  const toMap = ([mapId]: OfMap) => ({ mapId, ids: [] });
  const toMapDone = (_result: unknown, [mapId]: OfMap) => ok(mapId, []);
  Object.assign<typeof maps, Partial<typeof maps>>(maps, {
    createMap: audited(
      'createMap',
      maps.createMap.bind(maps),
      () => NO_SUBJECT,
      ({ id }) => ok(id, []),
    ),
    updateMap: audited('updateMap', maps.updateMap.bind(maps), toMap, toMapDone),
    deleteMap: audited('deleteMap', maps.deleteMap.bind(maps), toMap, toMapDone),
    restoreMap: audited('restoreMap', maps.restoreMap.bind(maps), toMap, toMapDone),
  });
  Object.assign<typeof locations, Partial<typeof locations>>(locations, {
    createLocation: audited(
      'createLocation',
      locations.createLocation.bind(locations),
      toMap,
      ({ location, isReplayed }, [mapId]) => ({
        mapId,
        ids: [location.id],
        outcome: isReplayed ? 'replayed' : 'ok',
      }),
    ),
    createLocations: audited(
      'createLocations',
      locations.createLocations.bind(locations),
      toMap,
      ({ results, replayed }, [mapId]) => {
        const there = results.flatMap((result, index) =>
          result instanceof ServiceError ? [] : [{ id: result.id, isReplayed: replayed.has(index) }],
        );
        const made = there.filter(({ isReplayed }) => !isReplayed);
        if (made.length > 0) return ok(mapId, idsOf(made));
        if (there.length > 0) return { mapId, ids: idsOf(there), outcome: 'replayed' };
        return { mapId, ids: [], outcome: firstCode(results) };
      },
    ),
    updateLocation: audited(
      'updateLocation',
      locations.updateLocation.bind(locations),
      ([mapId, id]) => ({ mapId, ids: [id] }),
      (_result, [mapId, id]) => ok(mapId, [id]),
    ),
    upsertLocations: audited(
      'upsertLocations',
      locations.upsertLocations.bind(locations),
      toMap,
      ({ results }, [mapId]) => {
        const there = results.flatMap((result) => (result instanceof ServiceError ? [] : [result]));
        const written = there.filter(({ outcome }) => outcome !== 'unchanged');
        const outcome = there.length > 0 ? 'ok' : firstCode(results);
        return { mapId, ids: written.map(({ location }) => location.id), outcome };
      },
    ),
    moveLocations: audited(
      'moveLocations',
      locations.moveLocations.bind(locations),
      ([mapId, ids]) => ({ mapId, ids }),
      (_result, [mapId, ids]) => ok(mapId, ids),
    ),
    deleteLocation: audited(
      'deleteLocation',
      locations.deleteLocation.bind(locations),
      ([mapId, id]) => ({ mapId, ids: [id] }),
      (_result, [mapId, id]) => ok(mapId, [id]),
    ),
    deleteLocations: audited(
      'deleteLocations',
      locations.deleteLocations.bind(locations),
      ([mapId, ids]) => ({ mapId, ids }),
      ({ deletedIds }, [mapId]) => ok(mapId, deletedIds),
    ),
  });
  Object.assign<typeof search, Partial<typeof search>>(search, {
    deleteMatches: audited(
      'deleteLocations',
      search.deleteMatches.bind(search),
      toMap,
      ({ deletedIds }, [mapId]) => ok(mapId, deletedIds),
    ),
  });
  Object.assign<typeof ownTokens, Partial<typeof ownTokens>>(ownTokens, {
    createToken: audited(
      'createToken',
      ownTokens.createToken.bind(ownTokens),
      ([{ mapId = null }]) => ({ mapId, ids: [] }),
      ({ token }) => ok(token.mapId, [token.id]),
    ),
    revokeToken: audited(
      'revokeToken',
      ownTokens.revokeToken.bind(ownTokens),
      ([id]) => ({ mapId: null, ids: [id] }),
      (_result, [id]) => ok(null, [id]),
    ),
  });
  const toWebhook = ([mapId, id]: readonly [mapId: string, id: string, ...rest: readonly unknown[]]) => ({
    mapId,
    ids: [id],
  });
  const toWebhookDone = (
    _result: unknown,
    [mapId, id]: readonly [mapId: string, id: string, ...rest: readonly unknown[]],
  ) => ok(mapId, [id]);
  Object.assign<typeof webhooks, Partial<typeof webhooks>>(webhooks, {
    createWebhook: audited(
      'createWebhook',
      webhooks.createWebhook.bind(webhooks),
      toMap,
      ({ webhook }, [mapId]) => ok(mapId, [webhook.id]),
    ),
    updateWebhook: audited('updateWebhook', webhooks.updateWebhook.bind(webhooks), toWebhook, toWebhookDone),
    deleteWebhook: audited('deleteWebhook', webhooks.deleteWebhook.bind(webhooks), toWebhook, toWebhookDone),
    rotateWebhookSecret: audited(
      'rotateWebhookSecret',
      webhooks.rotateWebhookSecret.bind(webhooks),
      toWebhook,
      toWebhookDone,
    ),
    testWebhook: audited('testWebhook', webhooks.testWebhook.bind(webhooks), toWebhook, toWebhookDone),
  });
  Object.assign<typeof tokens, Partial<typeof tokens>>(tokens, auditedOperator(tokens, audit));
  Object.assign<WritingServices, Partial<WritingServices>>(services, {
    refuseWrite: async (scope, operation, mapId, reason) => {
      const failure: unknown = await refuseWrite(scope, operation, mapId, reason).catch(
        (error: unknown) => error,
      );
      audit.note(scope, operation, { mapId, ids: [] }, codeOf(failure));
      throw failure;
    },
  });
}

/** The operator makes and revokes tokens of any owner. */
function auditedOperator(tokens: TokenService, audit: Audit): Partial<TokenService> {
  const createToken = tokens.createToken.bind(tokens);
  const revokeToken = tokens.revokeToken.bind(tokens);
  return {
    async createToken(input) {
      const { owner, mapId } = input;
      try {
        const issued = await createToken(input);
        audit.noteOperator(owner, 'createToken', { mapId, ids: [issued.record.id] }, 'ok');
        return issued;
      } catch (error) {
        audit.noteOperator(owner, 'createToken', { mapId, ids: [] }, codeOf(error));
        throw error;
      }
    },
    async revokeToken(tokenOrId) {
      const record = await tokens.findToken(tokenOrId);
      const subject = { mapId: record?.mapId ?? null, ids: record === null ? [] : [record.id] };
      const note = (outcome: Outcome) =>
        audit.noteOperator(record?.ownerName ?? null, 'revokeToken', subject, outcome);
      try {
        const isRevoked = await revokeToken(tokenOrId);
        note(isRevoked ? 'ok' : 'TOKEN_NOT_FOUND');
        return isRevoked;
      } catch (error) {
        note(codeOf(error));
        throw error;
      }
    },
  };
}

function ok(mapId: string | null, ids: readonly string[]): Done {
  return { mapId, ids, outcome: 'ok' };
}

function idsOf(locations: readonly { readonly id: string }[]): readonly string[] {
  return locations.map(({ id }) => id);
}

/** Where all have failed, the code of the first stands for them. */
function firstCode(results: readonly unknown[]): Outcome {
  return codeOf(results[0]);
}
