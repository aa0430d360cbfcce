/** Finding locations in MongoDB: an index says which may be meant, and src/domain/filter which are. */

import { LIST_ORDER } from '../../../domain/filter/location-order.ts';
import type { FoundKey } from '../../../domain/filter/location-order.ts';
import type { FoundLocation } from '../../../domain/filter/location-search.ts';
import { JsonText } from '../../../domain/json-text.ts';
import type { LocationTemplate } from '../../../domain/location-template.ts';
import { fillTemplate } from '../../../domain/location-template.ts';
import { pageOf, withNext } from '../../../domain/pages.ts';
import type { PageRequest } from '../../../domain/paging.ts';
import type { FoundJson, LocationFinder } from '../../finding.ts';
import type { StorageScope } from '../../storage.ts';
import type { Database } from '../database.ts';
import { Patience } from './patience.ts';
import { countFound } from './count-found.ts';
import { findClusters } from './clusters.ts';
import { findPage } from './find-page.ts';
import { LocationReader } from './reader.ts';

export function findingCalls(database: Database): LocationFinder {
  const withReader = <T>(work: (reader: LocationReader) => Promise<T>, scope: StorageScope = {}) =>
    database.run(
      (collections, time) => work(new LocationReader(collections, new Patience(time, scope.signal))),
      scope,
    );
  return {
    findLocations: (search, page, scope) => withReader((reader) => findPage(reader, search, page), scope),

    findLocationsJson: (search, page, template, scope) =>
      withReader(
        async (reader) => toJson(page, await findPage(reader, search, withNext(page)), template),
        scope,
      ),

    countFound: (search, scope) => withReader((reader) => countFound(reader, search), scope),

    findVersions: ({ map, filter }, limit, scope) =>
      withReader(async (reader) => {
        const search = { maps: [map], filter, order: LIST_ORDER };
        const found = await findPage(reader, search, { limit, fromEnd: false, after: null, before: null });
        return found.map(({ location: { id, version } }) => ({ id, version }));
      }, scope),

    findClusters: (query, scope) => withReader((reader) => findClusters(reader, query), scope),
  };
}

/** @param found the page, and one location more on the side where it is cut off */
function toJson(
  page: PageRequest<FoundKey>,
  found: readonly FoundLocation[],
  template: LocationTemplate,
): FoundJson {
  const { items, count, first, last, next } = pageOf(page, found);
  const written = items.map(({ location }) =>
    fillTemplate(template, { ...location, properties: JSON.stringify(location.properties) }),
  );
  return {
    json: new JsonText(`[${written.join(',')}]`),
    count,
    first: first?.key ?? null,
    last: last?.key ?? null,
    next: next?.key ?? null,
  };
}
