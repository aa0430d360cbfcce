/** The attributions of a map: those of the geocoders that found its points. */

import type { Attribution } from '../../domain/attribution.ts';
import type { Geocoder } from '../../geocoding/geocoder.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Scope } from '../scope.ts';

/** Each once. The cost does not depend on the number of locations. */
export async function attributionsOfMap(
  { storage, geocoder }: AttributionSources,
  mapId: string,
  scope: Scope,
): Promise<readonly Attribution[]> {
  const groups = await storage.countByGeocoding(mapId, scope);
  const found = groups.flatMap(({ provider }) => geocoder.attributions?.get(provider) ?? []);
  const distinct = new Map(
    found.map((attribution) => [`${attribution.text} ${attribution.url}`, attribution]),
  );
  return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, attribution]) => attribution);
}

export interface AttributionSources {
  readonly storage: Pick<Storage, 'countByGeocoding'>;
  readonly geocoder: Pick<Geocoder, 'attributions'>;
}
