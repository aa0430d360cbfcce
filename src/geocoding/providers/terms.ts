/** What each provider's terms allow to be kept. */

import type { RemoteName } from './provider.ts';

export interface Terms {
  /** Who may use a kept answer: the map that asked, everybody with the same key, or everybody. */
  readonly scope: 'map' | 'key' | 'everybody';
  /** Milliseconds that coordinates may be kept; null is without limit. */
  readonly maxAgeMs: number | null;
  /** Whether the address as the provider writes it may be kept too. */
  readonly keepsText: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a process remembers all candidates of an address, while somebody chooses one. */
export const CANDIDATES_AGE_MS = 60 * 60 * 1000;

/** How long "not found" is remembered. No terms say it; but new houses are built. */
export const NEGATIVE_AGE_MS = 60 * 60 * 1000;

export const TERMS: Readonly<Record<RemoteName, Terms>> = {
  /**
   * "Customer can temporarily cache latitude (lat) and longitude (lng) values from the Geocoding API for up to 30
   * consecutive calendar days, after which Customer must delete the cached latitude and longitude values"
   * (https://cloud.google.com/maps-platform/terms/maps-service-terms); place ids are exempt
   * (https://developers.google.com/maps/documentation/geocoding/policies). After 30 days the whole entry is removed and
   * the address is asked again. Looking up a kept place id costs as much as the address, and gives less (a place id can
   * be obsolete: https://developers.google.com/maps/documentation/places/web-service/place-id#save-id).
   */
  google: { scope: 'map', maxAgeMs: 30 * DAY_MS, keepsText: false },
  /**
   * Results may be stored: single results are not a substantial part of the database
   * (https://osmfoundation.org/wiki/Licence/Community_Guidelines/Geocoding_-_Guideline). The public server asks for
   * caching (https://operations.osmfoundation.org/policies/nominatim/). © OpenStreetMap contributors must be shown with
   * the results.
   */
  nominatim: { scope: 'everybody', maxAgeMs: null, keepsText: true },
  /**
   * "Permanent results are allowed to be cached and stored indefinitely"
   * (https://docs.mapbox.com/api/search/geocoding/#storing-geocoding-results), by the account that paid for them.
   */
  mapbox: { scope: 'key', maxAgeMs: null, keepsText: true },
};
