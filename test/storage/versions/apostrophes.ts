/**
 * The content of `sqlite-10.db.gz` and `mongodb-6.json`, from a release whose search split words at apostrophes: their
 * indexes have `guy` and `s` for "Guy's".
 */

import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import { LIST_ORDER } from '../../../src/domain/filter/location-order.ts';
import type { Storage } from '../../../src/storage/storage.ts';

/** A map of eight locations and a deleted one. */
export const MAP = 'a'.repeat(16);
/** A deleted map of one location. */
export const DELETED_MAP = 'b'.repeat(16);

const FINDS: readonly (readonly [query: string, ...names: string[]])[] = [
  ['guys', "Guy's", 'Guys'],
  ["guy's", "Guy's", 'Guys'],
  ['neil', 'O’Neill', 'Oʼneil'],
  ['oneil', 'O’Neill', 'Oʼneil'],
  ['armes', 'Plain'],
  ['darmes', 'Plain'],
  ['arc', 'Jeanne d＇Arc'],
  ['darc', 'Jeanne d＇Arc'],
  ["l'etoile", "L'E\u0301toile"],
  ['n roll', "Rock 'n' roll of the 90's"],
  ['leau'],
  ['lands'],
];

/** @returns names of the locations that a search finds in the map */
export async function namesFound(
  storage: Storage,
  mapId: string,
  search: string,
): Promise<readonly string[]> {
  const maps = (await storage.getMaps([mapId])).filter((map) => map !== null);
  const filter = readFilter({ search }, 'filter');
  const page = { limit: 10_000, fromEnd: false, after: null, before: null };
  const found = await storage.findLocations({ maps, filter, order: LIST_ORDER }, page);
  expect([search, await storage.countMatches({ maps, filter })]).toEqual([search, found.length]);
  return found.map(({ location }) => location.name);
}

export async function expectJoinedWords(storage: Storage): Promise<void> {
  for (const [query, ...names] of FINDS) {
    expect([query, ...(await namesFound(storage, MAP, query))]).toEqual([query, ...names]);
  }
  expect(await namesFound(storage, DELETED_MAP, 'fools')).toEqual(["Fool's gold"]);
}
