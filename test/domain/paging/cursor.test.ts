/** Cursors decode to the positions they encode; anything else is refused. */

import fc from 'fast-check';

import {
  decodeLocationCursor,
  decodeSequenceCursor,
  decodeMapCursor,
  decodeSortValuesCursor,
  digestOf,
  encodeLocationCursor,
  encodeSequenceCursor,
  encodeMapCursor,
  encodeSortValuesCursor,
} from '../../../src/domain/paging/cursor.ts';
import { newMapId, newOwnerId } from '../../../src/domain/ids.ts';
import { encodeOrder } from '../../../src/domain/list/order.ts';
import type { ServiceError } from '../../../src/errors.ts';
import { anyOrder } from '../../contract/storage/reference.ts';
import { expectRefused } from '../refused.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { propertyRuns } from '../../support/scope.ts';

const RUNS = { numRuns: propertyRuns(2000) };
const MAP = newMapId();
const OWNER = newOwnerId();

const anySequence = fc.integer({ min: 0, max: 999_999_999_999_999 });
const anyPosition = fc.record({ orderKey: anyOrder.map(encodeOrder), sequence: anySequence });
const anyMapPosition = fc.record({ createdAt: anySequence, id: fc.constant(null).map(newMapId) });

const locationCursor = anyPosition.map((position) => encodeLocationCursor(MAP, position));
const mapCursor = anyMapPosition.map((position) => encodeMapCursor(OWNER, position));

/** A cursor with characters cut, inserted or replaced. */
function mutated(cursor: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const piece = fc.oneof(fc.constantFrom('', 'A', '_', '-', '=', '+', '/', ' ', '\n', 'é'), fc.string());
  return fc.tuple(cursor, fc.nat(400), fc.nat(3), piece).map(([text, at, cut, put]) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + put + text.slice(index + cut);
  });
}

function anyForgery(cursor: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const encoded = fc
    .oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('l', 'm').map((kind) => `${kind}:${MAP}:1:2`),
    )
    .map((text) => Buffer.from(text).toString('base64url'));
  return fc.oneof(mutated(cursor), fc.string(), fc.string({ unit: anyCharacter }), encoded);
}

describe('a cursor of a map’s locations', () => {
  const decode = (cursor: string) => decodeLocationCursor(MAP, cursor, 'after');

  it('decodes to the sort key that it encodes', () => {
    fc.assert(
      fc.property(anyPosition, (position) => {
        expect(decode(encodeLocationCursor(MAP, position))).toEqual(position);
      }),
      RUNS,
    );
  });

  it('is opaque and safe in a URL', () => {
    fc.assert(fc.property(locationCursor, (cursor) => expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)));
  });

  it('is refused unless it is exactly a cursor of that map', () => {
    fc.assert(
      fc.property(anyForgery(locationCursor), (cursor) => {
        let position;
        try {
          position = decode(cursor);
        } catch (error) {
          expect((error as ServiceError).code).toBe('BAD_USER_INPUT');
          return;
        }
        // A truncated cursor can be the exact cursor of another position of the same map.
        expect(encodeLocationCursor(MAP, position)).toBe(cursor);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('is refused if it is of another map', () => {
    const cursor = encodeLocationCursor(newMapId(), { orderKey: encodeOrder('1'), sequence: 1 });
    expectRefused(() => decode(cursor), /^after must be a cursor/);
  });

  it('is refused if it is a cursor of maps', () => {
    const cursor = encodeMapCursor(MAP, { createdAt: 1, id: MAP });
    expectRefused(() => decode(cursor), /^after must be a cursor/);
  });

  it('is refused in any other spelling', () => {
    const cursor = encodeLocationCursor(MAP, { orderKey: encodeOrder('10'), sequence: 12 });
    const padded = [
      `${cursor}=`,
      ` ${cursor}`,
      `${cursor}\n`,
      cursor.slice(0, 4) + '.' + cursor.slice(4),
      '',
    ];
    const raw = [
      `l:${MAP}:012:25021`,
      `l:${MAP}:-1:25021`,
      `l:${MAP}:1e3:25021`,
      `l:${MAP}:1:250210`,
      `l:${MAP}:1:`,
    ];
    for (const other of [...padded, ...raw, ...raw.map((text) => Buffer.from(text).toString('base64url'))]) {
      expectRefused(() => decode(other), /^after must be a cursor/);
    }
  });

  it('is refused if its last character has excess bits', () => {
    const cursor = Buffer.from(`l:${MAP}:1:3a`).toString('base64url');
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => cursor.slice(0, -1) + last)
      .filter((other) => other !== cursor && Buffer.from(other, 'base64url').toString() === `l:${MAP}:1:3a`);
    expect(decode(cursor)).toEqual({ orderKey: '3a', sequence: 1 });
    expect(others).toHaveLength(3);
    for (const other of others) expectRefused(() => decode(other), /^after/);
  });

  it('is refused if its text is cut within a character', () => {
    const bytes = Buffer.from(`l:${MAP}:1:3\u{1f600}`);
    for (const cut of [1, 2, 3]) {
      const cursor = bytes.subarray(0, -cut).toString('base64url');
      expectRefused(() => decode(cursor), /^after/);
    }
  });
});

describe('a cursor of an owner’s maps', () => {
  const decode = (cursor: string) => decodeMapCursor(OWNER, cursor, 'before');

  it('decodes to the sort key that it encodes', () => {
    fc.assert(
      fc.property(anyMapPosition, (position) => {
        expect(decode(encodeMapCursor(OWNER, position))).toEqual(position);
      }),
      RUNS,
    );
  });

  it('is refused unless it is exactly a cursor of that owner', () => {
    fc.assert(
      fc.property(anyForgery(mapCursor), (cursor) => {
        let position;
        try {
          position = decode(cursor);
        } catch (error) {
          expect((error as ServiceError).code).toBe('BAD_USER_INPUT');
          return;
        }
        expect(encodeMapCursor(OWNER, position)).toBe(cursor);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('is refused if it is of another owner, or of locations', () => {
    const theirs = encodeMapCursor(newOwnerId(), { createdAt: 1, id: MAP });
    const locations = encodeLocationCursor(MAP, { orderKey: '1', sequence: 1 });
    for (const cursor of [theirs, locations]) expectRefused(() => decode(cursor), /^before must be a cursor/);
  });
});

describe('a cursor of a map’s locations in order of creation', () => {
  const sequence = fc.nat({ max: 999_999_999_999_999 });

  it('decodes to the sequence number that it encodes, for that map only', () => {
    fc.assert(
      fc.property(sequence, (number) => {
        const cursor = encodeSequenceCursor(MAP, number);
        expect(decodeSequenceCursor(MAP, cursor)).toBe(number);
        expect(decodeSequenceCursor(newMapId(), cursor)).toBeNull();
      }),
      RUNS,
    );
  });

  it('is null unless it is exactly such a cursor', () => {
    const anyCursor = sequence.map((number) => encodeSequenceCursor(MAP, number));
    fc.assert(
      fc.property(anyForgery(anyCursor), (cursor) => {
        const number = decodeSequenceCursor(MAP, cursor);
        if (number !== null) expect(encodeSequenceCursor(MAP, number)).toBe(cursor);
      }),
      { numRuns: propertyRuns(10_000) },
    );
    expect(decodeSequenceCursor(MAP, encodeLocationCursor(MAP, { orderKey: '1', sequence: 1 }))).toBeNull();
  });
});

describe('the digest of a connection', () => {
  const at = (time: number) => ({ createdAt: { from: new Date(time) } });

  it('is the same for equivalent arguments', () => {
    const digest = digestOf(
      'maps',
      OWNER,
      { search: 'a', isDeleted: null },
      { by: 'name', direction: 'asc' },
    );
    expect(digest).toMatch(/^[\w-]{12}$/);
    const { direction, by } = { direction: 'asc', by: 'name' };
    expect(digestOf('maps', OWNER, { isDeleted: null, search: 'a' }, { direction, by })).toBe(digest);
    expect(digestOf('maps', OWNER, { search: 'a' }, { by, direction })).toBe(digest);
    expect(digestOf(at(1))).toBe(digestOf(at(1)));
    expect(digestOf('maps', null)).toBe(digestOf('maps', undefined));
  });

  it('differs for all others', () => {
    const all = [
      [],
      ['maps', null, null],
      ['maps', {}, null],
      ['maps', null, {}],
      ['locations', null, null],
      ['maps', { search: 'a' }, null],
      ['maps', { search: 'A' }, null],
      ['maps', null, { search: 'a' }],
      ['maps', { isDeleted: true }, null],
      ['maps', { isDeleted: false }, null],
      ['maps', { not: { isDeleted: true } }, null],
      [at(1)],
      [at(2)],
      [{ in: [null] }],
      [{ in: [] }],
      [{ in: ['null'] }],
      [{ in: [1] }],
      [{ in: ['1'] }],
    ];
    expect(new Set(all.map((parts) => digestOf(...parts))).size).toBe(all.length);
  });
});

describe('a cursor of a filtered or ordered connection', () => {
  const DIGEST = digestOf('maps', OWNER, null, { by: 'name' });
  const anyPlace = fc.array(
    fc.oneof(fc.string({ unit: anyCharacter }), fc.integer(), fc.double(), fc.constant(null)),
    {
      maxLength: 4,
    },
  );
  const decode = (cursor: string, read = (values: readonly unknown[]): readonly unknown[] | null => values) =>
    decodeSortValuesCursor(DIGEST, cursor, 'after', read, "the viewer's maps");

  it('decodes to the values that it encodes, as JSON', () => {
    fc.assert(
      fc.property(anyPlace, (place) => {
        expect(decode(encodeSortValuesCursor(DIGEST, place))).toEqual(JSON.parse(JSON.stringify(place)));
      }),
      RUNS,
    );
  });

  it('is refused unless it is exactly a cursor of that filter and order', () => {
    const cursor = anyPlace.map((place) => encodeSortValuesCursor(DIGEST, place));
    const texts = fc
      .constantFrom(
        '[',
        '[]',
        '{}',
        'null',
        `"${DIGEST}"`,
        `["${DIGEST}" ]`,
        `["${DIGEST}",1.0]`,
        '['.repeat(9_999),
      )
      .map((text) => Buffer.from(text).toString('base64url'));
    fc.assert(
      fc.property(fc.oneof(anyForgery(cursor), texts), (forged) => {
        let place;
        try {
          place = decode(forged);
        } catch (error) {
          expect((error as ServiceError).code).toBe('BAD_USER_INPUT');
          return;
        }
        expect(encodeSortValuesCursor(DIGEST, place as (string | null)[])).toBe(forged);
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  it('is refused if it is of another filter or order, of a plain list, or its values are not sort values', () => {
    const cursor = encodeSortValuesCursor(DIGEST, ['a', 1, MAP]);
    expect(decode(cursor)).toEqual(['a', 1, MAP]);
    const message =
      /^after must be a cursor that the connection of the viewer's maps with this filter and order returned/;
    for (const other of [
      encodeSortValuesCursor(digestOf('maps', OWNER, null, { by: 'updated' }), ['a', 1, MAP]),
      encodeMapCursor(OWNER, { createdAt: 1, id: MAP }),
      encodeLocationCursor(MAP, { orderKey: encodeOrder('1'), sequence: 1 }),
    ]) {
      expectRefused(() => decode(other), message);
    }
    expectRefused(() => decode(cursor, () => null), message);
  });
});
