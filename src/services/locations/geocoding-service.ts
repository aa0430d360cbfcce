/** The geocoder for clients: previews of an address, addresses of points, suggestions, and stored locations geocoded again. */

import type { Point } from '../../domain/filter/distance.ts';
import { assertBounds } from '../../domain/filter/location-filter.ts';
import { LIST_ORDER } from '../../domain/filter/location-order.ts';
import { searchedMap } from '../../domain/filter/location-search.ts';
import { isLocationIdOf } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import { assertDegrees } from '../../domain/point.ts';
import { assertStorable, countCodePoints, isBlank } from '../../domain/text.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { Geocoder, GeocodingCandidate, ReverseResult, Suggestion } from '../../geocoding/geocoder.ts';
import { candidatesOf, suggestionsUnavailable } from '../../geocoding/geocoder.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WriteAudit } from '../audit/audit.ts';
import { ok } from '../audit/audit.ts';
import type { WrittenMap } from '../history/calls.ts';
import { historyIdOf } from '../history/calls.ts';
import type { Scope } from '../scope.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import { authorizeEditor } from './authorized-request.ts';
import type { GeocodedAgain, GeocodeLocationsOptions, GeocodeLocationsParts } from './geocode-locations.ts';
import { geocodeLocations } from './geocode-locations.ts';
import { concurrencyOf, createLocate, queryContext } from './locate.ts';
import type { LocationTargets } from './location-targets.ts';
import { assertBulk, assertMatchCount } from './location-targets.ts';

/** Characters from which a text has suggestions. */
const MIN_SUGGESTED = 3;

export interface GeocodingServiceOptions {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  readonly audit: WriteAudit;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Of an address, as JSON in UTF-8. */
  readonly maxBytes: number;
  /** Locations that one call may write. */
  readonly maxBulk: number;
}

/** Each call costs as much as creating a location, and so needs a token that may write. */
export class GeocodingService {
  readonly #options: GeocodingServiceOptions;
  readonly #parts: GeocodeLocationsParts;

  constructor(options: GeocodingServiceOptions) {
    this.#options = options;
    const { geocoder } = options;
    this.#parts = { ...options, locate: createLocate(options), concurrency: concurrencyOf(geocoder) };
  }

  /**
   * The candidates for an address, the best first.
   *
   * @throws ServiceError as createLocation does
   */
  async geocode(scope: Scope, mapId: string, address: string): Promise<readonly GeocodingCandidate[]> {
    const { geocoder, secrets } = this.#options;
    const request = await authorizeEditor(this.#options.storage, scope, mapId);
    this.#assertText(address, 'address');
    if (isBlank(address)) throw badUserInput('address must not be blank.');
    return candidatesOf(geocoder, { address, ...queryContext(request, secrets) });
  }

  /**
   * The address nearest to a point; null if there is none nearby.
   *
   * @throws ServiceError BAD_USER_INPUT; as {@link geocode}, except ADDRESS_NOT_FOUND
   */
  async reverseGeocode(scope: Scope, mapId: string, point: Point): Promise<ReverseResult | null> {
    const { geocoder, secrets } = this.#options;
    const request = await authorizeEditor(this.#options.storage, scope, mapId);
    assertPoint(point, '');
    return (await geocoder.reverse?.({ point, ...queryContext(request, secrets) })) ?? null;
  }

  /**
   * The addresses that a typed text may become, likeliest first.
   *
   * @throws ServiceError SUGGESTIONS_UNAVAILABLE; as {@link geocode}, except ADDRESS_NOT_FOUND
   */
  async suggestAddresses(
    scope: Scope,
    mapId: string,
    text: string,
    near: Point | null,
  ): Promise<readonly Suggestion[]> {
    const { geocoder, secrets } = this.#options;
    const request = await authorizeEditor(this.#options.storage, scope, mapId);
    this.#assertText(text, 'text');
    if (near !== null) assertPoint(near, 'near.');
    if (geocoder.suggest === undefined) throw suggestionsUnavailable();
    const typed = text.trim();
    if (countCodePoints(typed) < MIN_SUGGESTED) return [];
    return geocoder.suggest({ text: typed, near, ...queryContext(request, secrets) });
  }

  /**
   * Geocodes locations again. A quota or a failing provider ends the run; what was geocoded before is stored. Unknown ids
   * are ignored.
   *
   * @param targets 1 to `maxBulk` ids, or a filter with at most as many matches
   * @returns one result for each location, in the order of the ids or of the list
   * @throws ServiceError BAD_USER_INPUT; CONFLICT for another number than expected; GEOCODER_REFUSED if the geocoder does
   *   not allow many addresses at once
   */
  geocodeLocations(
    scope: Scope,
    mapId: string,
    targets: LocationTargets<number | null>,
    options: GeocodeLocationsOptions,
  ): Promise<WrittenMap & { results: readonly GeocodedAgain[] }> {
    const { geocoder, audit } = this.#options;
    const audited = {
      operation: 'geocodeLocations',
      subject: { mapId, ids: 'ids' in targets ? targets.ids : [] },
      done: ({ results }: { results: readonly GeocodedAgain[] }) =>
        ok(mapId, options.dryRun ? [] : results.filter(isChanged).map(({ location }) => location.id)),
    };
    return audit.run(scope, audited, async (called) => {
      const request = await authorizeEditor(this.#options.storage, called, mapId);
      const { refusesBulk = null } = geocoder;
      if (refusesBulk !== null) throw new ServiceError('GEOCODER_REFUSED', refusesBulk);
      const locations = await this.#findTargets(request, targets);
      const results = await geocodeLocations(request, locations, options, this.#parts);
      const hasChanged = !options.dryRun && results.some(isChanged);
      return { map: request.map, historyId: historyIdOf(called, hasChanged), results };
    });
  }

  async #findTargets(
    { map, scope }: AuthorizedRequest,
    targets: LocationTargets<number | null>,
  ): Promise<LocationRecord[]> {
    const { storage, maxBulk } = this.#options;
    if ('ids' in targets) {
      assertBulk('ids', targets.ids, maxBulk);
      const ids = [...new Set(targets.ids)].filter((id) => isLocationIdOf(map.id, id));
      const found = await storage.getLocations(map.id, ids, scope);
      return found.filter((location) => location !== null);
    }
    const { filter, expectedCount } = targets;
    const searched = searchedMap(map);
    assertBounds(filter, [searched.fields]);
    const search = { maps: [searched], filter, order: LIST_ORDER };
    const page = { limit: maxBulk + 1, fromEnd: false, after: null, before: null };
    const hits = await storage.findLocations(search, page, scope);
    assertMatchCount(hits.length, expectedCount, maxBulk, 'geocode');
    return hits.map(({ location }) => location);
  }

  #assertText(text: string, label: string): void {
    const { maxBytes } = this.#options;
    if (Buffer.byteLength(JSON.stringify(text)) > maxBytes) {
      throw badUserInput(`${label} is over the ${maxBytes} bytes allowed, as JSON.`);
    }
    assertStorable(text, label);
  }
}

function isChanged({ outcome }: GeocodedAgain): boolean {
  return outcome === 'changed';
}

function assertPoint({ latitude, longitude }: Point, prefix: string): void {
  assertDegrees(latitude, 90, `${prefix}latitude`);
  assertDegrees(longitude, 180, `${prefix}longitude`);
}
