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

  map: ({ mapId, view }, _args, { loaders }) =>
    view === 'public' ? loaders.publicMaps.load(mapId) : loaders.maps.load(mapId),
};
