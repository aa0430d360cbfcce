/** Paging in /v0 of a gateway: passes the query on, and builds `Link`s that lead back to this server. */

import { MAX_PAGE_SIZE } from '../domain/paging.ts';
import { badUserInput } from '../errors.ts';
import { readLimit } from './locations-page.ts';
import { nameOf, readQuery } from './query.ts';
import type { V0Request, Variables } from './request.ts';

/** Our parameter, used when the upstream has no `Link`: how many locations of its response were on earlier pages. */
const SEEN = 'offsetSeen';
/** Parameters of the gateway, not the upstream. */
const OWN: readonly string[] = ['limit', SEEN];

export interface UpstreamLocationsData {
  readonly list: {
    readonly nodes: unknown;
    readonly next: { readonly query: string; readonly seen: number } | null;
  };
}

export function readUpstreamVariables({ mapId, search }: V0Request): Variables {
  const { limit, [SEEN]: seen = '0' } = readQuery(search, ['limit', 'offset', SEEN]);
  if (!/^[0-9]{1,3}$/.test(seen) || Number(seen) >= MAX_PAGE_SIZE) {
    throw badUserInput(`${SEEN} must be taken from the Link of the previous page.`);
  }
  return { mapId, limit: readLimit(limit), query: withoutOwn(search), seen: Number(seen) };
}

/** The upstream's parameters, unchanged. */
function withoutOwn(search: string): string {
  return search
    .split('&')
    .filter((part) => part !== '' && !OWN.includes(nameOf(part)))
    .join('&');
}

export function linkToNextOfUpstream(
  next: UpstreamLocationsData['list']['next'],
  { mapId, search, baseUrl }: V0Request,
): string | null {
  if (next === null) return null;
  const limit = readLimit(readQuery(search, ['limit']).limit);
  const parts = [`limit=${limit}`, next.query, next.seen === 0 ? '' : `${SEEN}=${next.seen}`];
  const query = parts.filter((part) => part !== '').join('&');
  return `<${baseUrl}/v0/map/${encodeURIComponent(mapId)}/locations?${query}>; rel="next"`;
}
