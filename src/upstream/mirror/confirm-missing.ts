/**
 * Asks for each location that a list did not have. A list is read page by page, and may not show one that was moved
 * forward meanwhile.
 */

import { ServiceError } from '../../errors.ts';
import type { Upstream, UpstreamCall, UpstreamLocation } from '../upstream.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { Mirrored } from './arrange.ts';
import { createPatience } from './patience.ts';

const AT_ONCE = 8;
/** The second: 404 with a number of the upstream's own. */
const NOT_THERE: readonly string[] = ['LOCATION_NOT_FOUND', 'NOT_FOUND'];

export interface Confirmed {
  /** Ids here of those that the upstream says are not there. */
  readonly missing: readonly string[];
  /** The others, as they are there. */
  readonly found: readonly UpstreamLocation[];
}

/** @throws ServiceError for any answer but the location and that it is not there */
export async function confirmMissing(
  upstream: Pick<Upstream, 'getMap' | 'getLocation'>,
  call: UpstreamCall,
  mapId: string,
  unlisted: readonly Mirrored[],
): Promise<Confirmed> {
  const patiently = createPatience(call.signal, AT_ONCE);
  const missing: string[] = [];
  const found: UpstreamLocation[] = [];
  await mapConcurrently(unlisted, AT_ONCE, async ({ id, externalId }) => {
    const location = await patiently(() => find(upstream, call, mapId, externalId));
    if (location === null) missing.push(id);
    else found.push(location);
  });
  // /v0 has one number for an unknown map and an unknown location: without its map, none is known.
  if (missing.length > 0) await patiently(() => upstream.getMap(call, mapId));
  return { missing, found };
}

/** Null where there is none. */
async function find(
  upstream: Pick<Upstream, 'getLocation'>,
  call: UpstreamCall,
  mapId: string,
  id: string,
): Promise<UpstreamLocation | null> {
  try {
    return await upstream.getLocation(call, mapId, id);
  } catch (error) {
    if (error instanceof ServiceError && NOT_THERE.includes(error.code)) return null;
    throw error;
  }
}
