/** Restricts searches to the public view of a map (capabilities §12). */

import type { ServiceError } from '../../errors.ts';
import { badUserInput } from '../../errors.ts';
import type { PublicMap } from '../public-view.ts';
import { publicNames } from '../public-view.ts';
import type { LocationFilter } from './location-filter.ts';
import type { LocationSearch } from './location-search.ts';

/**
 * A search whose results reveal nothing but the public view.
 *
 * @throws ServiceError BAD_USER_INPUT for a property that is hidden or undefined, with the same message
 */
export function publicSearch<S extends Pick<LocationSearch, 'filter'> & Partial<LocationSearch>>(
  search: S,
  map: PublicMap,
): S {
  const names = publicNames(map);
  if (search.order?.by === 'property' && !names.has(search.order.property)) throw notShown();
  return { ...search, filter: publicFilter(search.filter, names) };
}

function publicFilter(filter: LocationFilter, names: ReadonlySet<string>): LocationFilter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((each) => publicFilter(each, names)) };
    case 'not':
      return { ...filter, filter: publicFilter(filter.filter, names) };
    case 'property':
      if (!names.has(filter.test.name)) throw notShown();
      return filter;
    case 'search':
      return { ...filter, names };
    case 'externalIds':
      // External ids are not public.
      return { ...filter, ids: new Set() };
    default:
      return filter;
  }
}

function notShown(): ServiceError {
  return badUserInput('Locations of a public map can only be filtered and ordered by its public fields.');
}
