/** A search reads no members of a location beyond those it declares. */

import fc from 'fast-check';

import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import { centerOf, readOrder } from '../../../src/domain/filter/location-order.ts';
import { hitMatcher } from '../../../src/domain/filter/location-search.ts';
import type { Filtered } from '../../../src/domain/filter/matcher.ts';
import { membersOfFilter, membersOfOrder, UNSEEN } from '../../../src/domain/filter/members.ts';
import { anyFilter, anyOrder, contents, FIELDS } from '../../storage/sqlite/search/search-arbitraries.ts';
import { propertyRuns } from '../../support/scope.ts';

const KEYS = { orderKey: 'a', sequence: 1 };

describe('the members that a search reads', () => {
  it('are enough to decide a match and its sort key', () => {
    const map = { id: 'm', createdAt: 0, fields: FIELDS };
    fc.assert(
      fc.property(
        contents,
        anyFilter(['some id']),
        anyOrder,
        fc.boolean(),
        (content, input, ordered, isSome) => {
          const filter = readFilter(input, 'filter');
          const by =
            ordered.by === 'distance' && centerOf(filter) === null ? { by: 'name' as const } : ordered;
          const order = readOrder(by, filter, 'orderBy');
          const location: Filtered = {
            ...UNSEEN,
            createdAt: 1,
            updatedAt: 2,
            ...content,
            ...(isSome && { id: 'some id' }),
          };
          const members = [...membersOfFilter(filter), ...membersOfOrder(order)];
          const seen = Object.fromEntries(members.map((member) => [member, location[member]]));
          const judge = hitMatcher({ filter, order }, map);
          expect(judge({ ...UNSEEN, ...seen, ...KEYS })?.key).toEqual(judge({ ...location, ...KEYS })?.key);
        },
      ),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('are few', () => {
    const named = (input: Parameters<typeof readFilter>[0]) => [
      ...membersOfFilter(readFilter(input, 'filter')),
    ];
    expect(named({ bbox: { south: 0, west: 0, north: 1, east: 1 } })).toEqual(['latitude', 'longitude']);
    expect(named({ not: { createdAt: { from: new Date(0) } } })).toEqual(['createdAt']);
    expect(named({ property: { name: 'a', eq: 1 } })).toEqual(['properties']);
    expect(named({})).toEqual([]);
  });
});
