/** Settings of a geocoder that calls a scripted server. */

import type { GeocoderSettings } from '../../src/geocoding/create-geocoder.ts';
import type { ProviderConfig } from '../../src/geocoding/providers/provider.ts';
import type { ProviderConfigs, RemoteName } from '../../src/geocoding/providers/providers.ts';
import { configureProviders } from '../../src/geocoding/providers/providers.ts';
import type { Geocoder } from '../../src/geocoding/geocoder.ts';

/** With characters that a URL must encode. */
export const MAP_KEY = 'AIzaSy+map/Key_0123456789==';
export const GOOGLE_KEY = 'AIzaSy+deployment/Google_42==';
export const MAPBOX_TOKEN = 'pk.eyJ1+deployment/Mapbox_42==';
const OTHER_KEY = 'geo+deployment/Other_42==';
export const KEYS = [MAP_KEY, GOOGLE_KEY, MAPBOX_TOKEN, OTHER_KEY];

const DEPLOYMENT_KEYS: Readonly<Partial<Record<RemoteName, string>>> = {
  google: GOOGLE_KEY,
  mapbox: MAPBOX_TOKEN,
  geoapify: OTHER_KEY,
  locationiq: OTHER_KEY,
  opencage: OTHER_KEY,
};

/** All providers on one server, with the deployment's keys. */
export function providersAt(
  url: string,
  changes: Partial<Record<RemoteName, Partial<ProviderConfig>>> = {},
): ProviderConfigs {
  return configureProviders(({ name }) => ({
    key: DEPLOYMENT_KEYS[name] ?? null,
    url,
    contact: null,
    shownName: null,
    attribution: null,
    ...changes[name],
  }));
}

/** Like {@link providersAt}, without keys. */
export function keylessProvidersAt(url: string): ProviderConfigs {
  return configureProviders(() => ({ key: null, url, contact: null, shownName: null, attribution: null }));
}

export function settingsFor(url: string, changes: Partial<GeocoderSettings> = {}): GeocoderSettings {
  return {
    geocoder: ['google'],
    providers: providersAt(url),
    timeoutMs: 5_000,
    concurrency: 10,
    queueLength: 1_000,
    userAgent: 'map-locations/0.0.0-test',
    tokenQuota: 0,
    mapQuota: 0,
    ...changes,
  };
}

/** Finds one town. */
export const townGeocoder: Geocoder = {
  geocode: ({ address, signal }) => {
    signal?.throwIfAborted();
    return Promise.resolve({
      placeId: `geonames:${address.length}`,
      latitude: 1,
      longitude: 2,
      provider: 'offline',
      precision: 'locality',
      label: null,
      isAmbiguous: false,
    });
  },
};
