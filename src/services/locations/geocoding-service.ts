/** The geocoder for clients: previews of an address, addresses of points, and suggestions. None of them stores anything. */

import type { Point } from '../../domain/filter/distance.ts';
import { assertDegrees } from '../../domain/point.ts';
import { assertStorable, countCodePoints, isBlank } from '../../domain/text.ts';
import { badUserInput } from '../../errors.ts';
import type { Geocoder, GeocodingCandidate, ReverseResult, Suggestion } from '../../geocoding/geocoder.ts';
import { candidatesOf, suggestionsUnavailable } from '../../geocoding/geocoder.ts';
import type { Storage } from '../../storage/storage.ts';
import { authorize } from '../authorization.ts';
import type { Scope } from '../scope.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { AuthorizedRequest } from './locate.ts';
import { queryContext } from './locate.ts';

/** Characters from which a text has suggestions. */
const MIN_SUGGESTED = 3;

export interface GeocodingServiceOptions {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  /** Of an address, as JSON in UTF-8. */
  readonly maxBytes: number;
}

/** Each call costs as much as creating a location, and so needs a token that may write. */
export class GeocodingService {
  readonly #options: GeocodingServiceOptions;

  constructor(options: GeocodingServiceOptions) {
    this.#options = options;
  }

  /**
   * The candidates for an address, the best first.
   *
   * @throws ServiceError as createLocation does
   */
  async geocode(scope: Scope, mapId: string, address: string): Promise<readonly GeocodingCandidate[]> {
    const { geocoder, secrets } = this.#options;
    const request = await this.#authorize(scope, mapId);
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
    const request = await this.#authorize(scope, mapId);
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
    const request = await this.#authorize(scope, mapId);
    this.#assertText(text, 'text');
    if (near !== null) assertPoint(near, 'near.');
    if (geocoder.suggest === undefined) throw suggestionsUnavailable();
    const typed = text.trim();
    if (countCodePoints(typed) < MIN_SUGGESTED) return [];
    return geocoder.suggest({ text: typed, near, ...queryContext(request, secrets) });
  }

  async #authorize(scope: Scope, mapId: string): Promise<AuthorizedRequest> {
    return { ...(await authorize(this.#options.storage, scope, mapId, { role: 'editor' })), scope };
  }

  #assertText(text: string, label: string): void {
    const { maxBytes } = this.#options;
    if (Buffer.byteLength(JSON.stringify(text)) > maxBytes) {
      throw badUserInput(`${label} is over the ${maxBytes} bytes allowed, as JSON.`);
    }
    assertStorable(text, label);
  }
}

function assertPoint({ latitude, longitude }: Point, prefix: string): void {
  assertDegrees(latitude, 90, `${prefix}latitude`);
  assertDegrees(longitude, 180, `${prefix}longitude`);
}
