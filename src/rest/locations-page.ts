/** Paging in /v0: reads `limit` and `offset`, and builds the `Link` to the next page. */

import { assertOffset, encodeOrder } from '../domain/list/order.ts';
import { MAX_PAGE_SIZE } from '../domain/paging/paging.ts';
import type { SortKey } from '../domain/list/sort-key.ts';
import { badUserInput } from '../errors.ts';
import { templateOfSelection } from '../graphql/execution/json-pages/templates.ts';
import { LOCATION, operation } from './documents.ts';
import { readQuery } from './query.ts';
import type { V0Request, Variables } from './request.ts';
import type { ListRow } from './table.ts';

interface LocationsPage {
  readonly nodes: unknown;
  readonly nextOrder: string | null;
  readonly lastKey: SortKey | null;
}

interface LocationsData {
  readonly map: { readonly locations: LocationsPage };
}

/** The list of a stored map: read as JSON, from the sort key that the offset stands for. */
export function createStoreList(): ListRow {
  const template = JSON.stringify(templateOfSelection(LOCATION).key);
  return {
    operation: operation(`query V0Locations($mapId: ID!, $first: Int!, $afterKey: _SortKey) {
      map(id: $mapId) {
        locations: _locationsJson(first: $first, afterKey: $afterKey, template: ${template}) {
          nodes: _nodesJson nextOrder lastKey: _lastKey
        }
      }
    }`),
    variables: readPageVariables,
    response: ({ map }: LocationsData, request) => ({
      body: map.locations.nodes,
      link: linkToNext(map.locations, request),
    }),
  };
}

const DIGITS = /^[0-9]+$/;
/** Sequence numbers are safe integers. */
const SEQUENCE = /^[0-9]{1,15}$/;

function readPageVariables({ mapId, search }: V0Request): Variables {
  const { limit, offset, offsetAfter } = readQuery(search, ['limit', 'offset', 'offsetAfter']);
  return { mapId, first: readLimit(limit), afterKey: readStart(offset, offsetAfter) };
}

/** @throws ServiceError BAD_USER_INPUT */
export function readLimit(limit: string | undefined): number {
  if (limit === undefined) return MAX_PAGE_SIZE;
  const size = DIGITS.test(limit) ? Number(limit) : 0;
  if (size < 1 || size > MAX_PAGE_SIZE) {
    throw badUserInput(`limit must be a whole number from 1 to ${MAX_PAGE_SIZE}, in digits.`);
  }
  return size;
}

/** The sort key just before the page's first location. */
function readStart(offset: string | undefined, offsetAfter: string | undefined): SortKey | null {
  if (offset === undefined) {
    if (offsetAfter !== undefined) throw badUserInput('offsetAfter requires offset.');
    return null;
  }
  assertOffset(offset);
  if (offsetAfter !== undefined && !SEQUENCE.test(offsetAfter)) {
    throw badUserInput('offsetAfter must be taken from the Link of the previous page.');
  }
  // Sequences start at 1, so 0 sorts before every location of that order: the offset is inclusive.
  return { orderKey: encodeOrder(offset), sequence: Number(offsetAfter ?? 0) };
}

/**
 * The link to the next page. Its `offset` is the order of the next location; if locations of that order are also on
 * this page, `offsetAfter` names the last of them.
 */
function linkToNext(page: LocationsPage, { mapId, search, baseUrl }: V0Request): string | null {
  const { nextOrder, lastKey } = page;
  if (nextOrder === null || lastKey === null) return null;
  const limit = readLimit(readQuery(search, ['limit']).limit);
  const after = encodeOrder(nextOrder) === lastKey.orderKey ? `&offsetAfter=${lastKey.sequence}` : '';
  const query = `limit=${limit}&offset=${toQueryValue(nextOrder)}${after}`;
  return `<${baseUrl}/v0/map/${encodeURIComponent(mapId)}/locations?${query}>; rel="next"`;
}

/** Encodes as URLSearchParams does, which takes much longer; most orders are plain numbers. */
function toQueryValue(text: string): string {
  return /^[0-9A-Za-z._-]*$/.test(text) ? text : new URLSearchParams([['', text]]).toString().slice(1);
}
