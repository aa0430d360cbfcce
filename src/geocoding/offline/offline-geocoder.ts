/** The offline geocoder: resolves an address to its town, without network or key. */

import { LRUCache } from 'lru-cache';

import { ServiceError } from '../../errors.ts';
import type { YieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { yieldWhenLong } from '../../lib/cooperative-scheduler.ts';
import type { Geocoder, GeocodingQuery, GeocodingResult } from '../geocoder.ts';
import { MAX_CANDIDATES } from '../geocoder.ts';
import { parseAddress } from './address.ts';
import type { TownCandidate } from './score-features.ts';
import type { Gazetteer } from './gazetteer.ts';
import { openGazetteer } from './index-file.ts';
import type { NameMatch } from './name-match.ts';
import { memoisedLookup } from './name-match.ts';
import type { Constraint } from './name-matches.ts';
import { findInRun } from './name-matches.ts';
import { Ranking } from './rank.ts';
import { findUnits, isAsianScript } from './cjk-segmentation.ts';

export interface OfflineGeocoderOptions {
  /** Path of the index, built if missing; by default that of the project's build, else one in node_modules/.cache. */
  readonly indexPath?: string;
}

/** The towns that an address may name, at most `count`, best first. Yields to the event loop if the address is slow. */
async function resolveTowns(
  gazetteer: Gazetteer,
  text: string,
  count: number,
  yieldIfDue: YieldIfDue,
): Promise<readonly TownCandidate[]> {
  const begin = yieldIfDue();
  if (begin !== undefined) await begin;
  const address = parseAddress(text);
  const lookup = memoisedLookup(gazetteer);
  const nameMatches: NameMatch[] = [];
  const constraints: Constraint[] = [];
  for (const run of address.runs) {
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
    const found = isAsianScript(run) ? await findUnits(run, lookup, yieldIfDue) : findInRun(run, lookup);
    nameMatches.push(...found.nameMatches);
    constraints.push(...found.constraints);
  }
  return new Ranking(gazetteer, address, { nameMatches, constraints }).best(yieldIfDue, count);
}

/** Addresses whose results are cached, because lists repeat them. Long addresses are not, to bound memory. */
const CACHED_ADDRESSES = 1000;
const MAX_CACHED_LENGTH = 500;

function notFound(): ServiceError {
  return new ServiceError(
    'ADDRESS_NOT_FOUND',
    'The offline gazetteer knows no town in this address; name the town, preferably with its country.',
  );
}

/**
 * Uses GeoNames' towns of 500 people and more. An address resolves to its town, never to a region or country. The index
 * is opened for the first address.
 */
export function createOfflineGeocoder(options: OfflineGeocoderOptions = {}): Geocoder {
  let opening: Promise<Gazetteer> | undefined;
  const open = (): Promise<Gazetteer> => {
    opening ??= openGazetteer(options.indexPath).catch((error: unknown) => {
      opening = undefined;
      throw new ServiceError('GEOCODER_UNAVAILABLE', 'The offline gazetteer cannot be opened.', {
        cause: error,
      });
    });
    return opening;
  };
  const cache = new LRUCache<string, GeocodingResult>({ max: CACHED_ADDRESSES });
  const find = async ({ address, signal }: GeocodingQuery, count: number): Promise<GeocodingResult[]> => {
    const yieldIfDue = yieldWhenLong();
    const gazetteer = await open();
    signal?.throwIfAborted();
    const candidates = await resolveTowns(gazetteer, address, count, yieldIfDue);
    signal?.throwIfAborted();
    return candidates.map(({ town }) => ({
      placeId: `geonames:${town.geonameId}`,
      latitude: town.latitude,
      longitude: town.longitude,
      provider: 'offline',
      precision: 'locality',
    }));
  };
  return {
    async candidates(query) {
      query.signal?.throwIfAborted();
      const found = await find(query, MAX_CANDIDATES);
      if (found.length === 0) throw notFound();
      return found.map((result) => ({ ...result, formattedAddress: null }));
    },
    async geocode(query) {
      const { address, signal } = query;
      signal?.throwIfAborted();
      const cached = cache.get(address);
      if (cached !== undefined) return cached;
      const [result] = await find(query, 1);
      if (result === undefined) throw notFound();
      if (address.length <= MAX_CACHED_LENGTH) cache.set(address, result);
      return result;
    },
  };
}
