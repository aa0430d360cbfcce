/** Pages as JSON. The server sends only the fields that the template needs, and properties are copied without parsing. */

import { JsonText } from '../../../domain/json/json-text.ts';
import type { LocationTemplate, LocationValue } from '../../../domain/location-template.ts';
import { fillTemplate } from '../../../domain/location-template.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import type { LocationsJson } from '../../storage.ts';
import type { ListReads } from './list.ts';
import { rangeOf } from './list.ts';
import { fromStoredSortKey, projectionOf } from './location-records.ts';
import { RawLocation } from './raw-location.ts';
import type { Collections } from '../schema.ts';

export async function listLocationsJson(
  collections: Collections,
  mapId: string,
  page: PageRequest<SortKey>,
  template: LocationTemplate,
  reads: ListReads,
): Promise<LocationsJson> {
  const { limit, fromEnd } = page;
  // One more than requested is the start of the next page.
  const wanted = { ...page, limit: limit + 1 };
  const found = await findRaw(collections, mapId, wanted, valuesOf(template), reads);
  const next = found.length > limit ? found.pop() : undefined;
  const listed = fromEnd ? found.reverse() : found;
  const [first, last] = [listed[0], listed.at(-1)];
  return {
    json: new JsonText(`[${listed.map((location) => fillTemplate(template, location)).join(',')}]`),
    count: listed.length,
    first: first === undefined ? null : fromStoredSortKey(first.sortKey),
    last: last === undefined ? null : fromStoredSortKey(last.sortKey),
    next: next === undefined ? null : { ...fromStoredSortKey(next.sortKey), order: next.order },
  };
}

/** A page of locations with these values, in reverse if it is from the end. */
export async function findRaw(
  { locations }: Collections,
  mapId: string,
  page: PageRequest<SortKey>,
  values: readonly LocationValue[],
  reads: ListReads,
): Promise<RawLocation[]> {
  const sent = (await locations
    .find(rangeOf(mapId, page), { ...reads, projection: projectionOf(values), raw: true })
    .sort({ place: page.fromEnd ? -1 : 1 })
    .hint('locations_in_order')
    .limit(page.limit)
    .toArray()) as unknown as Uint8Array[];
  return sent.map((bytes) => new RawLocation(bytes));
}

export function valuesOf({ parts }: LocationTemplate): readonly LocationValue[] {
  return parts.flatMap((part) => ('value' in part ? [part.value] : []));
}
