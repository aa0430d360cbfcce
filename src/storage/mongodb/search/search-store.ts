/** Search in MongoDB: indexes select candidates, and src/domain/filter decides. */

import { LIST_ORDER } from '../../../domain/filter/location-order.ts';
import { withNext } from '../../../domain/paging/pages.ts';
import { searchPageJson } from '../../search-json.ts';
import type { SearchStore } from '../../search.ts';
import type { StorageScope } from '../../storage.ts';
import type { Database } from '../database.ts';
import { findClusters } from './clusters.ts';
import { readColumns } from './columns.ts';
import { countMatches } from './counts.ts';
import { findPage } from './pages.ts';
import { LocationReader, SearchTimeout } from './reader.ts';

export function searchStore(database: Database): SearchStore {
  const withReader = <T>(work: (reader: LocationReader) => Promise<T>, scope: StorageScope = {}) =>
    database.search(
      (collections, time) => work(new LocationReader(collections, new SearchTimeout(time, scope.signal))),
      scope,
    );
  return {
    findLocations: (search, page, scope) => withReader((reader) => findPage(reader, search, page), scope),

    findLocationsJson: (search, page, template, scope) =>
      withReader(
        async (reader) => searchPageJson(page, await findPage(reader, search, withNext(page)), template),
        scope,
      ),

    countMatches: (search, scope) => withReader((reader) => countMatches(reader, search), scope),

    findVersions: ({ map, filter }, limit, scope) =>
      withReader(async (reader) => {
        const search = { maps: [map], filter, order: LIST_ORDER };
        const found = await findPage(reader, search, { limit, fromEnd: false, after: null, before: null });
        return found.map(({ location: { id, version } }) => ({ id, version }));
      }, scope),

    findClusters: (query, scope) => withReader((reader) => findClusters(reader, query), scope),

    readColumns: (query, scope) => withReader((reader) => readColumns(reader, query), scope),
  };
}
