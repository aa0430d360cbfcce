/**
 * Requests each location that the list did not have: a list is read page by page, and may miss a location that was moved
 * forward meanwhile.
 */

import { ServiceError } from '../../errors.ts';
import type { Upstream, UpstreamCall, UpstreamLocation } from '../upstream.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { Mirrored } from './arrange.ts';
import { createRetry } from './retry.ts';

const CONCURRENCY = 8;
/** NOT_FOUND: 404 with another number than /v0's. */
const MISSING: readonly string[] = ['LOCATION_NOT_FOUND', 'NOT_FOUND'];

export interface Confirmed {
  /** Our ids of locations that the upstream does not have. */
  readonly missing: readonly string[];
  /** The upstream's state of the others. */
  readonly found: readonly UpstreamLocation[];
}

/** @throws ServiceError for any response but the location, and that it does not exist */
export async function confirmMissing(
  upstream: Pick<Upstream, 'getMap' | 'getLocation'>,
  call: UpstreamCall,
  mapId: string,
  unlisted: readonly Mirrored[],
): Promise<Confirmed> {
  const retry = createRetry(call.signal, CONCURRENCY);
  const missing: string[] = [];
  const found: UpstreamLocation[] = [];
  await mapConcurrently(unlisted, CONCURRENCY, async ({ id, externalId }) => {
    const location = await retry(() => find(upstream, call, mapId, externalId));
    if (location === null) missing.push(id);
    else found.push(location);
  });
  // /v0 has one number for an unknown map and an unknown location, so make sure that the map exists.
  if (missing.length > 0) await retry(() => upstream.getMap(call, mapId));
  return { missing, found };
}

/** Null if it does not exist. */
async function find(
  upstream: Pick<Upstream, 'getLocation'>,
  call: UpstreamCall,
  mapId: string,
  id: string,
): Promise<UpstreamLocation | null> {
  try {
    return await upstream.getLocation(call, mapId, id);
  } catch (error) {
    if (error instanceof ServiceError && MISSING.includes(error.code)) return null;
    throw error;
  }
}
