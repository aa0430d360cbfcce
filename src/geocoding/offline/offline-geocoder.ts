import { LRUCache } from 'lru-cache';

import { ServiceError } from '../../errors.ts';
import type { Breathe } from '../../time-slice.ts';
import { breatheWhenLong } from '../../time-slice.ts';
import type { Geocoder, GeocodingQuery, GeocodingResult } from '../geocoder.ts';
import { parseAddress } from './address.ts';
import type { Choice } from './evidence.ts';
import type { Gazetteer } from './gazetteer.ts';
import { openGazetteer } from './index-file.ts';
import type { Constraint, Mention } from './mentions.ts';
import { findInRun, memoisedLookup } from './mentions.ts';
import { Ranking } from './rank.ts';
import { findUnits, isUnspaced } from './unspaced.ts';

export interface OfflineGeocoderOptions {
  /** Path of the index, which is made when missing; by default the built one, else the one in node_modules/.cache. */
  readonly indexPath?: string;
}

/** The town that an address names, or null. Reads only the index. A slow address is matched in pieces. */
async function resolveTown(gazetteer: Gazetteer, text: string, breathe: Breathe): Promise<Choice | null> {
  const begin = breathe();
  if (begin !== undefined) await begin;
  const address = parseAddress(text);
  const lookup = memoisedLookup(gazetteer);
  const mentions: Mention[] = [];
  const constraints: Constraint[] = [];
  for (const run of address.runs) {
    const pause = breathe();
    if (pause !== undefined) await pause;
    const found = isUnspaced(run) ? await findUnits(run, lookup, breathe) : findInRun(run, lookup);
    mentions.push(...found.mentions);
    constraints.push(...found.constraints);
  }
  return new Ranking(gazetteer, address, { mentions, constraints }).best(breathe);
}

/** How many addresses are remembered with their towns: lists repeat them. Long ones are not, to bound the memory. */
const REMEMBERED = 1000;
const LONGEST_REMEMBERED = 500;

function notFound(): ServiceError {
  return new ServiceError(
    'ADDRESS_NOT_FOUND',
    'The address names no town that the offline gazetteer knows; ' +
      'an address that names its town, best with its country, is understood.',
  );
}

/**
 * The geocoder without network or key: GeoNames' towns of 500 people and more. An address resolves to its town, never
 * to a region or country. Nothing is read before the first address.
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
  const remembered = new LRUCache<string, GeocodingResult>({ max: REMEMBERED });
  return {
    async geocode({ address, signal }: GeocodingQuery): Promise<GeocodingResult> {
      signal?.throwIfAborted();
      const breathe = breatheWhenLong();
      const known = remembered.get(address);
      if (known !== undefined) return known;
      const gazetteer = await open();
      signal?.throwIfAborted();
      const choice = await resolveTown(gazetteer, address, breathe);
      signal?.throwIfAborted();
      if (choice === null) throw notFound();
      const result: GeocodingResult = {
        placeId: `geonames:${choice.town.geonameId}`,
        latitude: choice.town.latitude,
        longitude: choice.town.longitude,
        provider: 'offline',
        precision: 'locality',
      };
      if (address.length <= LONGEST_REMEMBERED) remembered.set(address, result);
      return result;
    },
  };
}
