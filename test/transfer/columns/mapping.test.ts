import fc from 'fast-check';

import type { ColumnUse } from '../../../src/transfer/columns/mapping.ts';
import { headerKey, mapColumns } from '../../../src/transfer/columns/mapping.ts';
import { propertyRuns } from '../../support/scope.ts';

const FIELDS = ['Name', 'Address', 'Seats'].map((name) => ({ name }));
const usesOf = (columns: readonly string[], ...rest: [given?: ReadonlyMap<string, ColumnUse>]) =>
  mapColumns(columns, FIELDS, { uses: rest[0] }).uses;
const field = (name: string): ColumnUse => ({ kind: 'field', name });
const property = (name: string): ColumnUse => ({ kind: 'property', name });

/** Names with a meaning, in all their forms, and others. */
const header = fc.oneof(
  fc.constantFrom('Name', 'name', ' NAME', 'Address', 'address\u00a0', 'Seats', 'lat', 'Lng', 'x', 'WKT', ''),
  fc.constantFrom('externalId', 'external id', 'Column A', 'Column B', '__proto__', 'é', 'e\u0301'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const headers = fc.uniqueArray(header, {
  maxLength: 8,
  selector: (name) => (name.trim() === '' ? {} : name),
});

describe('mapColumns', () => {
  it('gives each column one use and a unique name', () => {
    fc.assert(
      fc.property(headers, fc.boolean(), (columns, findsExternalId) => {
        const { uses } = mapColumns(columns, FIELDS, { findsExternalId });
        expect(uses).toHaveLength(columns.length);
        const names = uses.flatMap((use) => ('name' in use ? [use.name] : []));
        expect(new Set(names).size).toBe(names.length);
        const once = uses
          .map(({ kind }) => kind)
          .filter((kind) => !['field', 'property', 'unnamed'].includes(kind));
        expect(new Set(once).size).toBe(once.length);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it('maps a column to the field of exactly its name, wherever it is', () => {
    fc.assert(
      fc.property(headers, (columns) => {
        const { uses } = mapColumns(columns, FIELDS);
        for (const [index, column] of columns.entries()) {
          if (FIELDS.some(({ name }) => name === column)) expect(uses[index]).toEqual(field(column));
        }
      }),
    );
  });

  it('leaves a field without a column only if no column has its name', () => {
    fc.assert(
      fc.property(headers, (columns) => {
        const { uses } = mapColumns(columns, FIELDS);
        for (const { name } of FIELDS) {
          const isThere = columns.some((column) => headerKey(column) === headerKey(name));
          expect(uses.some((use) => use.kind === 'field' && use.name === name)).toBe(isThere);
        }
      }),
    );
  });

  it('compares names in lower case, in NFC and trimmed', () => {
    expect(usesOf(['\u2003nAmE\u00a0', 'ADDRESS', 'seats '])).toEqual(
      ['Name', 'Address', 'Seats'].map(field),
    );
    expect(headerKey('Cafe\u0301')).toBe(headerKey('CAFÉ'));
  });

  it('maps other columns to properties of their trimmed names', () => {
    expect(usesOf(['name', ' Note ', 'Note'])).toEqual([
      field('Name'),
      property('Note'),
      property('Note (2)'),
    ]);
    expect(usesOf(['Name', 'name', 'NAME'])).toEqual([field('Name'), property('name'), property('NAME')]);
    expect(usesOf(['Name', 'Name '])).toEqual([field('Name'), property('Name ')]);
  });

  it('names columns without a header by their letters', () => {
    const columns = ['Name', ...Array.from({ length: 27 }, () => '')];
    const names = usesOf(columns).map((use) => ('name' in use ? use.name : null));
    expect(names.slice(0, 3)).toEqual(['Name', 'Column B', 'Column C']);
    expect(names.slice(-2)).toEqual(['Column AA', 'Column AB']);
    expect(usesOf(['Column B', ''])).toEqual([
      property('Column B'),
      { kind: 'unnamed', name: 'Column B (2)' },
    ]);
  });

  it('prefers a pair of columns for the point over one column', () => {
    const pointOf = (...columns: readonly string[]) => {
      const { latitudeAt, longitudeAt, pointAt } = mapColumns(columns, FIELDS);
      return [columns[latitudeAt], columns[longitudeAt], columns[pointAt]];
    };
    const none = [undefined, undefined, undefined];
    expect(pointOf('Latitude', 'lat', 'long', 'LNG')).toEqual(['lat', 'LNG', undefined]);
    expect(pointOf('wkt', 'x', 'y')).toEqual(['y', 'x', undefined]);
    expect(pointOf('geo_lat', 'gps_lng', 'gps_lat')).toEqual(['gps_lat', 'gps_lng', undefined]);
    expect(pointOf('point', 'WKT')).toEqual([undefined, undefined, 'point']);
    expect(pointOf('Name', 'longitude')).toEqual(none);
    expect(pointOf('Name', 'x')).toEqual(none);
    // Half a pair: each row lacks the other coordinate.
    expect(pointOf('Name', 'Lat')).toEqual(['Lat', undefined, undefined]);
  });

  it('maps no point to a column that is exactly the name of a field', () => {
    const { latitudeAt, pointAt, uses } = mapColumns(
      ['lat', 'lng', 'point'],
      [{ name: 'lat' }, { name: 'Point' }],
    );
    expect([latitudeAt, pointAt]).toEqual([-1, 2]);
    expect(uses[0]).toEqual(field('lat'));
  });

  it('follows the decisions of the caller first', () => {
    const given = new Map<string, ColumnUse>([
      ['TITLE', field('Name')],
      ['lat', property('lat')],
      ['Code', { kind: 'externalId' }],
      ['Seats', { kind: 'externalId' }],
    ]);
    expect(usesOf(['title', 'Name', 'lat', 'lng'], given)).toEqual([
      field('Name'),
      property('Name (2)'),
      property('lat'),
      { kind: 'longitude' },
    ]);
    expect(mapColumns(['Code'], FIELDS, { uses: given })).toMatchObject({
      externalIdAt: 0,
      uses: [{ kind: 'externalId' }],
    });
    // A field with the external ids keeps its values.
    expect(mapColumns(['Seats'], FIELDS, { uses: given })).toMatchObject({
      externalIdAt: 0,
      uses: [field('Seats')],
    });
  });

  it('recognizes external ids by name only if asked to', () => {
    for (const name of ['externalId', 'ExternalID', 'external_id', 'External Id']) {
      expect(mapColumns([name], FIELDS, { findsExternalId: true }).externalIdAt).toBe(0);
      expect(mapColumns([name], FIELDS)).toMatchObject({ externalIdAt: -1, uses: [property(name)] });
    }
  });
});
