/** Paging in /v0 in front of an upstream: its own query is asked for, and its `Link` led to this server. */

import { MAX_PAGE_SIZE } from '../domain/paging/paging.ts';
import { badUserInput } from '../errors.ts';
import { readLimit } from './locations-page.ts';
import { nameOf, readQuery } from './query.ts';
import type { V0Request, Variables } from './request.ts';

/** Parameter of a `Link` of ours, where the upstream gives none: how many locations of its answer were on the pages before. */
const SEEN = 'offsetSeen';
/** What is ours, and not the upstream's. */
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
    throw badUserInput(`${SEEN} must be taken from the Link of the page before.`);
  }
  return { mapId, limit: readLimit(limit), query: withoutOwn(search), seen: Number(seen) };
}

/** The upstream's own parameters, as they were sent. */
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
