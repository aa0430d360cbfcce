/** The offline geocoder: resolves an address to its town, without network or key. */

import { LRUCache } from 'lru-cache';

import { ServiceError } from '../../errors.ts';
import type { YieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { yieldWhenLong } from '../../lib/cooperative-scheduler.ts';
import { boxContains } from '../../domain/filter/box.ts';
import type { Point } from '../../domain/filter/distance.ts';
import { distanceBetween } from '../../domain/filter/distance.ts';
import type { GeocodingArea } from '../../domain/geocoding-area.ts';
import type { Geocoder, GeocodingCandidate, GeocodingQuery, Suggestion } from '../geocoder.ts';
import { MAX_CANDIDATES, MAX_SUGGESTIONS, resultOf } from '../geocoder.ts';
import { parseAddress } from './address.ts';
import type { TownCandidate } from './score-features.ts';
import type { Gazetteer, Town } from './gazetteer.ts';
import { openGazetteer } from './index-file.ts';
import type { Lookup, NameMatch } from './name-match.ts';
import { memoisedLookup } from './name-match.ts';
import type { Constraint } from './name-matches.ts';
import { findInRun } from './name-matches.ts';
import { Ranking } from './rank.ts';
import { findUnits, isAsianScript } from './cjk-segmentation.ts';

export interface OfflineGeocoderOptions {
  /** Path of the index, built if missing; by default that of the project's build, else one in node_modules/.cache. */
  readonly indexPath?: string;
}

/** The towns that an address may name, best first. Yields to the event loop if the address is slow. */
async function resolveTowns(
  gazetteer: Gazetteer,
  text: string,
  area: GeocodingArea | null,
  yieldIfDue: YieldIfDue,
): Promise<readonly Town[]> {
  const begin = yieldIfDue();
  if (begin !== undefined) await begin;
  const address = parseAddress(text);
  const lookup = lookupWithin(gazetteer, area);
  const nameMatches: NameMatch[] = [];
  const constraints: Constraint[] = [];
  for (const run of address.runs) {
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
    const found = isAsianScript(run) ? await findUnits(run, lookup, yieldIfDue) : findInRun(run, lookup);
    nameMatches.push(...found.nameMatches);
    constraints.push(...found.constraints);
  }
  const ranking = new Ranking(gazetteer, address, { nameMatches, constraints });
  const best = await ranking.best(yieldIfDue, MAX_CANDIDATES);
  return preferred(best, area);
}

/** Leaves out the towns of other countries. */
function lookupWithin(gazetteer: Gazetteer, area: GeocodingArea | null): Lookup {
  const lookup = memoisedLookup(gazetteer);
  const countries = area?.countries ?? [];
  if (countries.length === 0) return lookup;
  return (phrase) => {
    const named = lookup(phrase);
    const towns = named.towns.filter(({ country }) => countries.includes(gazetteer.countryCode(country)));
    return { ...named, towns };
  };
}

/** Towns within the bounds come first. */
function preferred(candidates: readonly TownCandidate[], area: GeocodingArea | null): readonly Town[] {
  const towns = candidates.map(({ town }) => town);
  const bounds = area?.bounds ?? null;
  if (bounds === null) return towns;
  const isInside = (town: Town) => boxContains(bounds, town);
  return [...towns.filter(isInside), ...towns.filter((town) => !isInside(town))];
}

/** Addresses whose results are cached, because lists repeat them. Long addresses are not, to bound memory. */
const CACHED_ADDRESSES = 1000;
const MAX_CACHED_LENGTH = 500;

const PROVIDER = 'offline';
const ATTRIBUTIONS = new Map([
  [PROVIDER, [{ text: 'GeoNames, CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' }]],
]);

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
  const cache = new LRUCache<string, readonly GeocodingCandidate[]>({ max: CACHED_ADDRESSES });
  const find = async ({
    address,
    signal,
    area = null,
  }: GeocodingQuery): Promise<readonly GeocodingCandidate[]> => {
    signal?.throwIfAborted();
    const key = area === null ? address : JSON.stringify([area, address]);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const yieldIfDue = yieldWhenLong();
    const gazetteer = await open();
    signal?.throwIfAborted();
    const towns = await resolveTowns(gazetteer, address, area, yieldIfDue);
    signal?.throwIfAborted();
    if (towns.length === 0) throw notFound();
    const candidates = towns.map((town) => toCandidate(town, labelOf(gazetteer, town, area)));
    if (key.length <= MAX_CACHED_LENGTH) cache.set(key, candidates);
    return candidates;
  };
  return {
    attributions: ATTRIBUTIONS,
    candidates: (query) => find(query),
    async geocode(query) {
      const [best, ...others] = await find(query);
      if (best === undefined) throw notFound();
      return resultOf([best, ...others]);
    },
    async reverse({ point, area = null, signal }) {
      signal?.throwIfAborted();
      const gazetteer = await open();
      signal?.throwIfAborted();
      const nearest = gazetteer.nearest(point, REVERSE_METRES);
      if (nearest === null) return null;
      const { town, distance } = nearest;
      const countryCode = gazetteer.countryCode(town.country);
      const city = gazetteer.nameOf(town);
      const country = countryName(countryCode, area);
      const label = labelOf(gazetteer, town, area);
      const none = { houseNumber: null, street: null, postcode: null, state: null };
      return { label, ...none, city, country, countryCode, distance, provider: PROVIDER };
    },
    async suggest({ text, near, area = null, signal }) {
      signal?.throwIfAborted();
      const gazetteer = await open();
      signal?.throwIfAborted();
      return suggestTowns(gazetteer, text, near, area);
    },
  };
}

/** Metres; a town farther away does not name a point. */
const REVERSE_METRES = 50_000;
/** The largest towns of a prefix, among which the nearest come first. */
const MAX_SUGGESTED = 50;

/** Completes the last part of an address, as the name of a town. */
function suggestTowns(
  gazetteer: Gazetteer,
  text: string,
  near: Point | null,
  area: GeocodingArea | null,
): readonly Suggestion[] {
  const comma = text.lastIndexOf(',');
  const [before, prefix] = [text.slice(0, comma + 1).trim(), text.slice(comma + 1).trim()];
  if (prefix === '') return [];
  const countries = area?.countries ?? [];
  const found: { town: Town; name: string }[] = [];
  for (const match of gazetteer.startingWith(prefix)) {
    if (countries.length > 0 && !countries.includes(gazetteer.countryCode(match.town.country))) continue;
    if (found.push(match) === MAX_SUGGESTED) break;
  }
  const isNear = ({ town }: { town: Town }) => near !== null && distanceBetween(near, town) <= NEAR_METRES;
  const ordered = [...found.filter(isNear), ...found.filter((match) => !isNear(match))];
  return ordered.slice(0, MAX_SUGGESTIONS).map(({ town, name }) => ({
    label: before === '' ? name : `${before} ${name}`,
    description: countryName(gazetteer.countryCode(town.country), area),
    latitude: town.latitude,
    longitude: town.longitude,
  }));
}

const NEAR_METRES = 100_000;

/** In the language of the area, else English; null for a code without a name. */
function countryName(code: string, area: GeocodingArea | null): string | null {
  const language = area?.language ?? 'en';
  let names = countryNames.get(language);
  if (names === undefined) {
    names = new Intl.DisplayNames([language, 'en'], { type: 'region', fallback: 'none' });
    countryNames.set(language, names);
  }
  return names.of(code) ?? null;
}

/** Making one takes as long as geocoding an address. */
const countryNames = new LRUCache<string, Intl.DisplayNames>({ max: 20 });

/** `Lisbon, Portugal`. */
function labelOf(gazetteer: Gazetteer, town: Town, area: GeocodingArea | null): string {
  const country = countryName(gazetteer.countryCode(town.country), area);
  return country === null ? gazetteer.nameOf(town) : `${gazetteer.nameOf(town)}, ${country}`;
}

function toCandidate({ geonameId, latitude, longitude }: Town, formattedAddress: string): GeocodingCandidate {
  return {
    placeId: `geonames:${geonameId}`,
    latitude,
    longitude,
    provider: PROVIDER,
    precision: 'locality',
    formattedAddress,
  };
}
