/** The geocoder of a deployment, in a few words for its operator. */

import type { Config } from './config.ts';
import type { GeocoderName } from '../domain/geocoder-name.ts';

const NAMES: Readonly<Record<Exclude<GeocoderName, 'auto'>, string>> = {
  google: 'Google',
  mapbox: 'Mapbox',
  nominatim: 'Nominatim',
  offline: 'offline, to the town',
};

export function describeGeocoder({ geocoding: { geocoder, googleApiKey } }: Config): string {
  const names = geocoder.map((name) => {
    if (name !== 'auto') return NAMES[name];
    return googleApiKey === null ? `Google for maps with a key, else ${NAMES.offline}` : NAMES.google;
  });
  return names.join(', then ');
}
