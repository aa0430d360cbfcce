/** A page of search results as JSON, for a store that returns records. */

import type { SearchSortKey } from '../domain/filter/location-order.ts';
import type { SearchHit } from '../domain/filter/location-search.ts';
import { JsonText } from '../domain/json/json-text.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import { fillTemplate } from '../domain/location-template.ts';
import { keysOfEnds, pageOf } from '../domain/paging/pages.ts';
import type { PageRequest } from '../domain/paging/paging.ts';
import type { SearchPageJson } from './search.ts';

/** @param found the page, plus one location on the side where it is cut off */
export function searchPageJson(
  page: PageRequest<SearchSortKey>,
  found: readonly SearchHit[],
  template: LocationTemplate,
): SearchPageJson {
  const { items, ...ends } = pageOf(page, found);
  const written = items.map(({ location }) =>
    fillTemplate(template, { ...location, properties: JSON.stringify(location.properties) }),
  );
  return { ...keysOfEnds(ends), json: new JsonText(`[${written.join(',')}]`) };
}
