import type { ClusterResolvers } from '../generated/schema.ts';

export const Cluster: ClusterResolvers = {
  latitude: ({ latitudes, count }) => latitudes / count,
  longitude: ({ longitudes, count }) => longitudes / count,
  bbox: ({ box }) => box,
};
