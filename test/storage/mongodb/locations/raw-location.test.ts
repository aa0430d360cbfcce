/** RawLocation decodes the same values as the driver. */

import fc from 'fast-check';
import { BSON } from 'mongodb';

import { RawLocation } from '../../../../src/storage/mongodb/locations/raw-location.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const degrees = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.integer({ min: -180, max: 180 }),
);
const document = fc.record({
  _id: text,
  place: text,
  order: text,
  name: text,
  placeId: text,
  latitude: degrees,
  longitude: degrees,
  properties: fc.json(),
  createdAt: fc.date({ noInvalidDate: true }),
  provider: text,
  precision: text,
  label: fc.oneof(text, fc.constant(null)),
  isAmbiguous: fc.boolean(),
  isChecked: fc.boolean(),
});

describe('a location as MongoDB sends it', () => {
  it('has the same values as from the driver, with its fields in any order', () => {
    const shuffled = document.chain((fields) =>
      fc
        .shuffledSubarray(Object.keys(fields), { minLength: Object.keys(fields).length })
        .map((keys) => Object.fromEntries(keys.map((key) => [key, Reflect.get(fields, key) as unknown]))),
    );
    fc.assert(
      fc.property(shuffled, (fields) => {
        // At an offset, like a document of a batch.
        const stored = Object.fromEntries(
          Object.entries(fields).filter(([, value]) => value !== null && value !== false),
        );
        const bytes = Buffer.concat([Buffer.from('before'), BSON.serialize(stored)]).subarray(6);
        const read = new RawLocation(bytes);
        const driver = {
          // Null and false are not stored.
          ...{ label: null, isAmbiguous: false, isChecked: false },
          ...(BSON.deserialize(bytes) as Record<string, unknown>),
        } as Record<string, unknown>;
        const { id, sortKey, order, name, placeId, latitude, longitude, properties, createdAt, geocoding } =
          read;
        expect({
          place: sortKey,
          order,
          name,
          placeId,
          latitude,
          longitude,
          properties,
          ...geocoding,
        }).toEqual(
          Object.fromEntries(Object.entries(driver).filter(([key]) => key !== '_id' && key !== 'createdAt')),
        );
        expect([id, createdAt]).toEqual([driver['_id'], Number(driver['createdAt'])]);
      }),
    );
  });

  it('throws for a field that was left out', () => {
    const read = new RawLocation(BSON.serialize({ name: 'A', latitude: 1 }));
    expect([read.name, read.latitude]).toEqual(['A', 1]);
    expect(() => read.sortKey).toThrow(
      new TypeError('The field place of a stored location is not of BSON type 2.'),
    );
  });

  it('has each value of its geocoding without the other', () => {
    expect(new RawLocation(BSON.serialize({ provider: 'offline' })).geocoding.provider).toBe('offline');
    expect(new RawLocation(BSON.serialize({ precision: 'street' })).geocoding.precision).toBe('street');
  });

  it('is refused with an unknown field or type', () => {
    expect(() => new RawLocation(BSON.serialize({ name: { $gt: '' } }))).toThrow(TypeError);
    expect(() => new RawLocation(BSON.serialize({ name: 5 })).name).toThrow(TypeError);
    expect(() => new RawLocation(BSON.serialize({ latitude: '5' })).latitude).toThrow(TypeError);
  });
});
