/**
 * Keeps pages as JSON that were asked for more than once. A page is kept under its map's revision. Every write to the
 * map's list changes the revision in its transaction, whichever process writes. So a page that is found is current.
 */

import { LRUCache } from 'lru-cache';

import type { LocationTemplate } from '../../domain/location-template.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { LocationsJson } from '../storage.ts';

/**
 * Pages that were asked for once. Only their keys are kept, so that a walk through a large map does not drive out the
 * pages that are asked for often.
 */
const MAX_SEEN = 2_000;
/** Memory that an entry takes beside its JSON. */
const ENTRY_BYTES = 1_000;

export interface PageCache {
  /** @param revision of the map; read before `read` is called */
  get(
    mapId: string,
    revision: number,
    page: PageRequest<SortKey>,
    template: LocationTemplate,
    read: () => LocationsJson,
  ): LocationsJson;
}

/** @param maxBytes of all pages together; 0 keeps none */
export function createPageCache(maxBytes: number): PageCache {
  if (maxBytes === 0) return { get: (_mapId, _revision, _page, _template, read) => read() };
  const pages = new LRUCache<string, LocationsJson>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }) => json.bytes.length + ENTRY_BYTES,
  });
  const seen = new LRUCache<string, true>({ max: MAX_SEEN });
  return {
    get(mapId, revision, page, template, read) {
      const key = [mapId, revision, template.key, keyOf(page)].join('\0');
      const kept = pages.get(key);
      if (kept !== undefined) return kept;
      const made = read();
      if (seen.has(key)) pages.set(key, made);
      else seen.set(key, true);
      return made;
    },
  };
}

/** Made of all members, so that none can be forgotten. No value holds a NUL. */
function keyOf(request: object): string {
  let key = '';
  for (const [name, value] of Object.entries(request) as [string, unknown][]) {
    key += `${name}\0${typeof value === 'object' && value !== null ? `{${keyOf(value)}}` : String(value)}\0`;
  }
  return key;
}
