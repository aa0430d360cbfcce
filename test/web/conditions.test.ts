/** Filters and orders of the console's list. */

import type { Condition } from '../../web/console/list/conditions.ts';
import {
  filterOf,
  operatorsOf,
  requiredValue,
  textOfCondition,
  withRequiredValue,
} from '../../web/console/list/conditions.ts';
import { nextOrder, orderInputOf } from '../../web/console/list/list-order.ts';

const field = (name: string, type: 'text' | 'number' | 'date') =>
  ({ kind: 'field', field: { name, type, isPublic: true } }) as const;
const condition = (subject: Condition['subject'], operator: string, value = '', to = '') =>
  ({ subject, operator, value, to }) as Condition;

describe('a list filter', () => {
  it('compares by the type of the field', () => {
    const all = [
      condition(field('Floor', 'text'), 'is', '2'),
      condition(field('Seats', 'number'), 'between', '1', '20.5'),
      condition(field('Opened', 'date'), 'is', '2020-02-01'),
      condition(field('Floor', 'text'), 'missing'),
      condition({ kind: 'externalId' }, 'is', 'e1'),
    ];
    expect(filterOf('caf', all)).toEqual({
      and: [
        { search: 'caf' },
        // The value may be stored as either.
        { property: { name: 'Floor', in: ['2', 2] } },
        { property: { name: 'Seats', from: 1, to: 20.5 } },
        { property: { name: 'Opened', from: '2020-02-01', to: '2020-02-01' } },
        { property: { name: 'Floor', exists: false } },
        { externalIds: ['e1'] },
      ],
    });
    expect(all.map(textOfCondition)).toEqual([
      'Floor is 2',
      'Seats is between 1 and 20.5',
      'Opened is on 2020-02-01',
      'Floor is empty',
      'External ID is e1',
    ]);
  });

  it('requires one value of a field at a time', () => {
    const kind = { name: 'Kind', type: 'category', isPublic: true } as const;
    const other = condition(field('Floor', 'text'), 'is', '2');
    const cafes = withRequiredValue([other], kind, 'cafe', ['cafe', ' cafe']);
    expect(cafes.map(textOfCondition)).toEqual(['Floor is 2', 'Kind is cafe']);
    expect([requiredValue(cafes, 'Kind'), requiredValue([other], 'Kind')]).toEqual(['cafe', '']);
    expect(filterOf(null, cafes)).toEqual({
      and: [
        { property: { name: 'Floor', in: ['2', 2] } },
        { property: { name: 'Kind', in: ['cafe', ' cafe'] } },
      ],
    });
    const parks = withRequiredValue(cafes, kind, 'park', ['park']);
    expect(parks.map(textOfCondition)).toEqual(['Floor is 2', 'Kind is park']);
    expect(withRequiredValue(parks, kind, '', [])).toEqual([other]);
  });

  it('reads days of creation in the reader’s time zone', () => {
    const filter = filterOf(null, [condition({ kind: 'createdAt' }, 'is', '2024-05-31')]);
    const end = new Date(2024, 4, 31, 23, 59, 59, 999);
    expect(filter).toEqual({
      createdAt: { from: new Date(2024, 4, 31).toISOString(), to: end.toISOString() },
    });
  });

  it('tells points by their precision, by whether they were checked, and by whether they are ambiguous', () => {
    const all = [
      condition({ kind: 'precision' }, 'is', 'locality'),
      condition({ kind: 'precision' }, 'isNot', 'rooftop'),
      condition({ kind: 'isChecked' }, 'no'),
      condition({ kind: 'isAmbiguous' }, 'yes'),
    ];
    expect(filterOf(null, all)).toEqual({
      and: [
        { geocoding: { precision: ['locality'] } },
        { geocoding: { precision: ['interpolated', 'street', 'locality', 'region'] } },
        { geocoding: { isChecked: false } },
        { geocoding: { isAmbiguous: true } },
      ],
    });
    expect(all.map(textOfCondition)).toEqual([
      'Precision is at the town',
      'Precision is not at the door',
      'Not checked',
      'Ambiguous',
    ]);
  });

  it('matches everything if no condition is set', () => {
    expect(filterOf(null, [])).toBeNull();
  });

  it('offers only the operators that the API has for the type', () => {
    const names = (type: 'text' | 'number') => operatorsOf(field('x', type)).map(([operator]) => operator);
    expect(names('text')).toEqual(['prefix', 'is', 'exists', 'missing']);
    expect(names('number')).toEqual(['is', 'from', 'to', 'between', 'exists', 'missing']);
  });
});

describe('the list order', () => {
  it("cycles on a column's header: ascending, descending, and back to the map's order", () => {
    const up = nextOrder({ key: 'list', direction: 'asc' }, 'property:Seats');
    const down = nextOrder(up, 'property:Seats');
    expect([up, down].map(orderInputOf)).toEqual([
      { by: 'property', property: 'Seats', direction: 'asc' },
      { by: 'property', property: 'Seats', direction: 'desc' },
    ]);
    expect(orderInputOf(nextOrder(down, 'property:Seats'))).toBeNull();
    expect(orderInputOf({ key: 'list', direction: 'desc' })).toEqual({ by: 'list', direction: 'desc' });
  });
});
