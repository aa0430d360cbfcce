/** The names that the setting `GEOCODER` may list. */

export const GEOCODER_NAMES = ['auto', 'google', 'nominatim', 'mapbox', 'offline'] as const;
export type GeocoderName = (typeof GEOCODER_NAMES)[number];
