/** Which locations a filter matches, and their order. The oracle is referenceSearch. */

import fc from 'fast-check';

import { compareSearchKeys, readOrder } from '../../../src/domain/filter/location-order.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import { hitMatcher } from '../../../src/domain/filter/location-search.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import { encodeOrder } from '../../../src/domain/list/order.ts';
import { aLocation, aMap } from '../../contract/storage/fixtures.ts';
import type { SearchQuestion, Plan } from '../../contract/storage/search-world.ts';
import { anyQuestion, plan } from '../../contract/storage/search-world.ts';
import { referenceSearch } from './reference-search.ts';
import { propertyRuns } from '../../support/scope.ts';

const RUNS = propertyRuns(1_000);

/** The plan's maps, in creation order. */
function mapsOf({ maps }: Plan): readonly MapRecord[] {
  return maps
    .map((each, number) => aMap('owner', { id: `map${number}`, ...each }))
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

function locationsOf({ locations }: Plan, maps: readonly MapRecord[]): readonly LocationRecord[] {
  return locations.map(({ map, order, values }, number) => {
    const text = order ?? String(number);
    const externalId = number % 3 === 0 ? `ours ${number}` : null;
    return {
      ...aLocation(maps[map % maps.length]!.id, { ...values, id: `#${number}`, externalId }),
      order: text,
      orderKey: encodeOrder(text),
      sequence: number + 1,
      version: 1,
      updatedAt: 1_000 + (number % 3),
    };
  });
}

function search(
  maps: readonly MapRecord[],
  locations: readonly LocationRecord[],
  question: SearchQuestion,
): readonly string[] {
  const filter = readFilter(question.filter, 'filter');
  const order = readOrder(question.order, filter, 'orderBy');
  const compare = compareSearchKeys(order);
  return maps
    .flatMap((map) => {
      const judge = hitMatcher({ filter, order }, map);
      return locations.filter(({ mapId }) => mapId === map.id).flatMap((location) => judge(location) ?? []);
    })
    .sort((a, b) => compare(a.key, b.key))
    .map(({ location }) => location.id);
}

describe('the hit matcher', () => {
  it('matches the same locations as the oracle, in the same order', () => {
    let found = 0;
    fc.assert(
      fc.property(plan, fc.array(anyQuestion, { minLength: 1, maxLength: 5 }), (planned, questions) => {
        const maps = mapsOf(planned);
        const locations = locationsOf(planned, maps);
        for (const question of questions) {
          const searched = maps.filter((_, number) => question.maps.includes(number));
          const ids = search(searched, locations, question);
          const expected = referenceSearch(searched, locations, question.filter, question.order);
          expect(ids).toEqual(expected.map(({ id }) => id));
          found += ids.length;
        }
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(RUNS);
  });
});
