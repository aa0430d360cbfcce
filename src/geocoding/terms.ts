/** What each provider's terms allow to be kept, as data. */

import type { RemoteName } from './provider.ts';

export interface Terms {
  /** For whom an answer may be kept: the map that asked, everybody with the same key, or everybody. */
  readonly scope: 'map' | 'key' | 'everybody';
  /** Milliseconds that coordinates may be kept; null is without limit. */
  readonly maxAgeMs: number | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long it is remembered that a provider knows no such address; nobody's terms, but new houses get built. */
export const NEGATIVE_AGE_MS = 60 * 60 * 1000;

export const TERMS: Readonly<Record<RemoteName, Terms>> = {
  /**
   * "Customer can temporarily cache latitude (lat) and longitude (lng) values from the Geocoding API for up to 30
   * consecutive calendar days, after which Customer must delete the cached latitude and longitude values"
   * (https://cloud.google.com/maps-platform/terms/maps-service-terms); place ids are exempt
   * (https://developers.google.com/maps/documentation/geocoding/policies). After 30 days the whole entry goes and the
   * address is asked again: looking a kept place id up costs as much as the address, and answers less (a place id
   * can be obsolete: https://developers.google.com/maps/documentation/places/web-service/place-id#save-id).
   */
  google: { scope: 'map', maxAgeMs: 30 * DAY_MS },
  /**
   * Results may be stored, singly they are no substantial part of the database
   * (https://osmfoundation.org/wiki/Licence/Community_Guidelines/Geocoding_-_Guideline), and the public server asks
   * for them to be cached (https://operations.osmfoundation.org/policies/nominatim/). © OpenStreetMap contributors
   * must be shown where they are.
   */
  nominatim: { scope: 'everybody', maxAgeMs: null },
  /**
   * "Permanent results are allowed to be cached and stored indefinitely"
   * (https://docs.mapbox.com/api/search/geocoding/#storing-geocoding-results), by the account that paid for them.
   */
  mapbox: { scope: 'key', maxAgeMs: null },
};
