import { toPlainDecimal } from '../../domain/coordinates.ts';
import type { GeocodingPrecision, LocationResolvers } from '../generated/schema.ts';

export const Location: LocationResolvers = {
  latLngLiteral: ({ latitude, longitude }) => ({
    lat: toPlainDecimal(latitude),
    lng: toPlainDecimal(longitude),
  }),

  geocoding: ({ geocoding: { provider, precision } }) => ({
    provider,
    precision: precision as GeocodingPrecision,
  }),

  map: ({ mapId }, _args, { loaders }) => loaders.maps.load(mapId),
};
