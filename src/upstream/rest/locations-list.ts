/** The list of /v0 in front of an upstream. The query goes to the upstream; its `Link` comes back with our address. */

import { MAX_PAGE_SIZE } from '../../domain/paging/paging.ts';
import { badUserInput } from '../../errors.ts';
import { LOCATION, operation } from '../../rest/documents.ts';
import { readLimit } from '../../rest/locations-page.ts';
import { nameOf, readQuery } from '../../rest/query.ts';
import type { V0Request, Variables } from '../../rest/request.ts';
import type { ListRow } from '../../rest/table.ts';
import { V0_LOCATIONS } from '../graphql/schema.ts';

/**
 * Parameter of our `Link` where the upstream sends none: how many locations of its response were on earlier pages.
 */
const SEEN = 'offsetSeen';
/** Parameters that are not passed to the upstream. */
const OWN: readonly string[] = ['limit', SEEN];

interface NextPage {
  readonly query: string;
  readonly seen: number;
}

interface UpstreamLocationsData {
  readonly list: { readonly nodes: unknown; readonly next: NextPage | null };
}

export function createUpstreamList(): ListRow {
  return {
    operation: operation(`query V0Locations($mapId: ID!, $limit: Int!, $query: String!, $seen: Int!) {
      list: ${V0_LOCATIONS}(mapId: $mapId, limit: $limit, query: $query, seen: $seen) {
        nodes { ${LOCATION} } next { query seen }
      }
    }`),
    variables: readVariables,
    response: ({ list }: UpstreamLocationsData, request) => ({
      body: list.nodes,
      link: linkToNext(list.next, request),
    }),
    linkOfUnchanged: (query, request) => linkToNext({ query, seen: 0 }, request),
  };
}

function readVariables({ mapId, search }: V0Request): Variables {
  const { limit, [SEEN]: seen = '0' } = readQuery(search, ['limit', 'offset', SEEN]);
  if (!/^[0-9]{1,3}$/.test(seen) || Number(seen) >= MAX_PAGE_SIZE) {
    throw badUserInput(`${SEEN} must be taken from the Link of the page before.`);
  }
  return { mapId, limit: readLimit(limit), query: withoutOwn(search), seen: Number(seen) };
}

/** The upstream's own parameters, unchanged. */
function withoutOwn(search: string): string {
  return search
    .split('&')
    .filter((part) => part !== '' && !OWN.includes(nameOf(part)))
    .join('&');
}

function linkToNext(next: NextPage | null, { mapId, search, baseUrl }: V0Request): string | null {
  if (next === null) return null;
  const limit = readLimit(readQuery(search, ['limit']).limit);
  const parts = [`limit=${limit}`, next.query, next.seen === 0 ? '' : `${SEEN}=${next.seen}`];
  const query = parts.filter((part) => part !== '').join('&');
  return `<${baseUrl}/v0/map/${encodeURIComponent(mapId)}/locations?${query}>; rel="next"`;
}
