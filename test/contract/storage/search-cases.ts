/** Hard search cases with hand-written results, which the oracle must also return. */

import type { FilterInput } from '../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import type { OrderInput } from '../../../src/domain/filter/location-order.ts';
import { readOrder } from '../../../src/domain/filter/location-order.ts';
import { searchedMap } from '../../../src/domain/filter/location-search.ts';
import type { JsonObject, JsonValue } from '../../../src/domain/json/json.ts';
import { newMapId } from '../../../src/domain/ids.ts';
import type { NewLocation } from '../../../src/domain/location.ts';
import type { FieldType } from '../../../src/domain/map.ts';
import { compareCodePoints } from '../../../src/domain/text.ts';
import { referenceSearch } from '../../domain/filter/reference-search.ts';
import { anInsert, insertAll, locationOf, seedMap } from './fixtures.ts';
import { expectResult, walkHits, WHOLE } from './search-world.ts';
import type { StorageCase } from './harness.ts';

interface Item extends Partial<NewLocation> {
  readonly at?: string;
}

interface Case {
  readonly name: string;
  /** The type of property `p` in each map, in order of their creation; null where it is not defined. */
  readonly types?: readonly (FieldType | null)[];
  /** The locations of each map, by a name that no store sees. */
  readonly maps: readonly Readonly<Record<string, Item>>[];
  readonly asks: readonly {
    readonly filter?: FilterInput;
    readonly order?: OrderInput;
    readonly finds: string;
  }[];
}

const on = (latitude: number, longitude: number): Item => ({ latitude, longitude });
const called = (name: string): Item => ({ name, properties: {} });
/** A location with the property `p`. */
const p = (value: JsonValue): Item => ({ name: '-', properties: { p: value } });
const LIST: OrderInput = { by: 'list' };
const NONE: Item = { name: '-', properties: {} };
const byName = (direction: 'asc' | 'desc'): OrderInput => ({ by: 'name', direction });
const byP = (direction: 'asc' | 'desc'): OrderInput => ({ by: 'property', property: 'p', direction });
const box = (south: number, west: number, north: number, east: number) => ({
  bbox: { south, west, north, east },
});
const near = (latitude: number, longitude: number, radius: number) => ({
  near: { latitude, longitude, radius },
});
const rings = (...coordinates: JsonValue[]): JsonObject => ({ type: 'Polygon', coordinates });
const square = (from: number, to: number): JsonValue => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
  [from, from],
];
const property = (test: Record<string, unknown>): FilterInput => ({ property: { name: 'p', ...test } });
const NUMBERS: Record<string, Item> = {
  seven: p(7),
  text: p('7'),
  zeros: p('007'),
  point: p('7.0'),
  spaced: p(' 7'),
  sign: p('+7'),
  exponent: p('7e0'),
  list: p([7]),
  more: p('7.5'),
  ten: p('10'),
  less: p(-7),
  nothing: p(''),
  word: p('seven'),
  none: NONE,
};

/** Beyond the range of doubles, so that the nearest double is an infinity. */
const [HUGE, LEAST] = ['1'.repeat(400), `-${'1'.repeat(400)}`];

const CASES: readonly Case[] = [
  {
    name: 'at the poles, longitudes matter to a box but not to a distance',
    maps: [{ n0: on(90, 0), n135: on(90, 135), n: on(89.99999, -45), s: on(-90, 15) }],
    asks: [
      { filter: near(90, -90, 0), finds: 'n0 n135' },
      { filter: near(90, 10, 2), finds: 'n0 n135 n' },
      { filter: near(-90, 170, 0), finds: 's' },
      { filter: box(90, 130, 90, 140), finds: 'n135' },
      { filter: box(-90, -180, 89.99999, 180), finds: 'n s' },
    ],
  },
  {
    name: 'boxes and circles continue across the antimeridian',
    maps: [
      { e: on(0, 180), w: on(0, -180), e1: on(0, 179), w1: on(0, -179), e2: on(0, 178.9), far: on(0, 0) },
    ],
    asks: [
      { filter: box(-1, 179, 1, -179), finds: 'e w e1 w1' },
      { filter: box(0, 180, 0, -180), finds: 'e w' },
      { filter: box(0, 180, 0, 180), finds: 'e' },
      { filter: box(0, -180, 0, -180), finds: 'w' },
      { filter: box(0, -180, 0, 180), finds: 'e w e1 w1 e2 far' },
      { filter: box(0, 0, 0, -1e-9), finds: 'e w e1 w1 e2 far' },
      { filter: box(-1, 0.1, 1, -0.1), finds: 'e w e1 w1 e2' },
      { filter: near(0, 180, 0), finds: 'e w' },
      { filter: near(0, -179.5, 60_000), finds: 'e w w1' },
      { filter: { not: box(-1, 179, 1, -179) }, finds: 'e2 far' },
    ],
  },
  {
    name: 'distances are rounded to the millimetre before they are compared',
    // 0.00001° along a meridian are 1.1119507… m.
    maps: [{ here: on(0, 0), there: on(0.00001, 0), beyond: on(0.00002, 0) }],
    asks: [
      { filter: near(0, 0, 0), finds: 'here' },
      { filter: near(0, 0, 1.111), finds: 'here' },
      { filter: near(0, 0, 1.11199), finds: 'here' },
      { filter: near(0, 0, 1.112), finds: 'here there' },
      { filter: near(0, 0, 2.223), finds: 'here there' },
      { filter: near(0, 0, 2.224), finds: 'here there beyond' },
      { filter: near(0.0000000001, 0, 0), finds: 'here' },
    ],
  },
  {
    name: 'the largest circle holds the globe, sorted by distance and then by the list',
    maps: [{ far: on(0, 180), pole: on(90, 7), near: on(1, 0), other: on(-1, 0), here: on(0, 0) }],
    asks: [
      { filter: near(0, 0, 20_037_509), order: { by: 'distance' }, finds: 'here near other pole far' },
      {
        filter: near(0, 0, 20_037_509),
        order: { by: 'distance', direction: 'desc' },
        finds: 'far pole near other here',
      },
      {
        filter: { and: [near(0, 0, 20_015_114), {}] },
        order: { by: 'distance' },
        finds: 'here near other pole',
      },
    ],
  },
  {
    name: 'distances that are equal to the millimetre are equal, and follow the list',
    // 0.000000002° are 0.2 mm.
    maps: [{ beside: on(0.000000002, 0), here: on(0, 0), there: on(0.00001, 0) }],
    asks: [
      { filter: near(0, 0, 2), order: { by: 'distance' }, finds: 'beside here there' },
      { filter: near(0, 0, 2), order: { by: 'distance', direction: 'desc' }, finds: 'there beside here' },
    ],
  },
  {
    name: 'edges and vertices of boxes, polygons and holes are inside',
    maps: [
      {
        corner: on(0, 0),
        edge: on(0, 5),
        inside: on(1, 1),
        hole: on(5, 5),
        rim: on(4, 5),
        vertex: on(4, 4),
        right: on(5, 10),
        level: on(4, 1),
        out: on(5, 10.0000001),
        beyond: on(11, 5),
      },
    ],
    asks: [
      {
        filter: { polygon: rings(square(0, 10), square(4, 6)) },
        finds: 'corner edge inside rim vertex right level',
      },
      {
        filter: { polygon: rings(square(0, 10), square(4, 6), square(5, 5)) },
        finds: 'corner edge inside hole rim vertex right level',
      },
      {
        filter: { polygon: { type: 'MultiPolygon', coordinates: [[square(0, 10)], [square(4, 6)]] } },
        finds: 'corner edge inside hole rim vertex right level',
      },
      { filter: { polygon: rings(square(4, 6)) }, finds: 'hole rim vertex' },
      { filter: box(0, 0, 5, 10), finds: 'corner edge inside hole rim vertex right level' },
      { filter: box(4, 4, 4, 4), finds: 'vertex' },
      { filter: { not: { polygon: rings(square(0, 10)) } }, finds: 'out beyond' },
    ],
  },
  {
    name: 'a polygon’s edge is exact, and does not cross the antimeridian',
    maps: [
      {
        on: on(0.5, 1.5),
        above: on(0.1, 0.3),
        pacific: on(5, 179.5),
        america: on(5, -179.5),
        middle: on(5, 0),
      },
    ],
    asks: [
      {
        filter: {
          polygon: rings([
            [0, 0],
            [3, 0],
            [3, 1],
            [0, 0],
          ]),
        },
        finds: 'on',
      },
      {
        filter: {
          polygon: rings([
            [179, 4],
            [-179, 4],
            [-179, 6],
            [179, 6],
            [179, 4],
          ]),
        },
        finds: 'middle',
      },
      {
        filter: {
          polygon: rings([
            [-180, -90],
            [180, -90],
            [180, 90],
            [-180, 90],
            [-180, -90],
          ]),
        },
        finds: 'on above pacific america middle',
      },
    ],
  },
  {
    name: 'a search ignores case, accents and ligatures',
    maps: [
      {
        one: called('Café'),
        two: called('cafe\u0301'),
        three: called('CAFE-Bar'),
        inside: called('decaf'),
        strasse: called('Hauptstraße'),
        street: called('STRASSE 12b'),
        fish: called('ﬁsh'),
        aero: called('Ærø'),
        i: called('İstanbul'),
        sigma: called('Σίσυφος'),
        half: called('½'),
      },
    ],
    asks: [
      { filter: { search: 'café' }, finds: 'one two three' },
      { filter: { search: 'CAF' }, finds: 'one two three' },
      { filter: { search: 'straße' }, finds: 'street' },
      { filter: { search: 'strass 12' }, finds: 'street' },
      { filter: { search: '2b' }, finds: '' },
      { filter: { search: 'fi' }, finds: 'fish' },
      { filter: { search: 'aero' }, finds: 'aero' },
      { filter: { search: 'istan' }, finds: 'i' },
      { filter: { search: 'σισυφοσ' }, finds: 'sigma' },
      { filter: { search: 'bar, cafe!' }, finds: 'three' },
      { filter: { search: '1' }, finds: 'street half' },
      { filter: { search: '2' }, finds: 'half' },
    ],
  },
  {
    name: 'a search ignores an apostrophe between letters, and the letter after it begins a word',
    maps: [
      {
        guys: called("Guy's"),
        plain: called('Guys'),
        apart: called('Guy S.'),
        neill: called('O’Neill'),
        modifier: called('Oʼneil'),
        wide: called('Jeanne d＇Arc'),
        accent: called("L'E\u0301toile"),
        chain: p("d’l'x"),
        quoted: called("rock 'n' roll"),
        digits: called("90's"),
        twice: called("a''b ʼc"),
        long: p(`x${"'y".repeat(900)}`),
      },
    ],
    asks: [
      { filter: { search: 'guys' }, finds: 'guys plain' },
      { filter: { search: "guy's" }, finds: 'guys plain' },
      { filter: { search: 'GUYʼS' }, finds: 'guys plain' },
      { filter: { search: 'guy s' }, finds: 'guys apart' },
      { filter: { search: 'guy' }, finds: 'guys plain apart' },
      { filter: { search: 'oneill' }, finds: 'neill' },
      { filter: { search: 'neill' }, finds: 'neill' },
      { filter: { search: "o'neill" }, finds: 'neill' },
      { filter: { search: "o'n" }, finds: 'neill modifier' },
      { filter: { search: "o'" }, finds: 'neill modifier' },
      { filter: { search: 'n' }, finds: 'neill modifier quoted' },
      { filter: { search: 'eill' }, finds: '' },
      { filter: { search: 'arc jeanne' }, finds: 'wide' },
      { filter: { search: 'd’arc' }, finds: 'wide' },
      { filter: { search: 'etoile' }, finds: 'accent' },
      { filter: { search: 'letoile' }, finds: 'accent' },
      { filter: { search: 'dlx' }, finds: 'chain' },
      { filter: { search: 'lx' }, finds: 'chain' },
      { filter: { search: 'rockn' }, finds: '' },
      { filter: { search: '90s' }, finds: '' },
      { filter: { search: 's' }, finds: 'guys apart digits' },
      { filter: { search: 'ab' }, finds: '' },
      { filter: { search: 'ʼc' }, finds: 'twice' },
      { filter: { search: 'y'.repeat(64) }, finds: 'long' },
      { filter: { search: "o'neill", not: { search: 'neill' } }, finds: '' },
      // Whole values keep their apostrophes: a prefix may end at one.
      { filter: property({ prefix: "d'l" }), finds: '' },
      { filter: property({ prefix: 'd’' }), finds: 'chain' },
      { filter: property({ prefix: 'dl' }), finds: '' },
    ],
  },
  {
    name: 'an order by name keeps apostrophes',
    maps: [{ guys: called('Guys'), two: called("Guy's b"), one: called("Guy's"), guy: called('Guya') }],
    asks: [{ order: byName('asc'), finds: 'one two guy guys' }],
  },
  {
    name: 'a word begins anywhere in scripts without spaces, and only there',
    maps: [
      {
        tokyo: called('東京都庁'),
        kyoto: called('京都'),
        yoshi: called('x𠮷野家'),
        ga: called('ガス'),
        ga2: called('カ\u3099ス'),
        ka: called('カス'),
        thai: called('ร้านกาแฟ'),
        paris: called('مقهى باريس'),
        latin: called('abc京'),
      },
    ],
    asks: [
      { filter: { search: '京' }, finds: 'tokyo kyoto latin' },
      { filter: { search: '京都' }, finds: 'tokyo kyoto' },
      { filter: { search: '京都庁' }, finds: 'tokyo' },
      { filter: { search: '京都府' }, finds: '' },
      { filter: { search: '𠮷' }, finds: 'yoshi' },
      { filter: { search: '野家' }, finds: 'yoshi' },
      { filter: { search: 'ガ' }, finds: 'ga ga2' },
      { filter: { search: 'カ' }, finds: 'ka' },
      { filter: { search: 'กาแฟ' }, finds: 'thai' },
      { filter: { search: 'ราน' }, finds: 'thai' },
      { filter: { search: 'باريس' }, finds: 'paris' },
      { filter: { search: 'اريس' }, finds: '' },
      { filter: { search: 'bc京' }, finds: '' },
      { filter: { search: 'abc京' }, finds: 'latin' },
    ],
  },
  {
    name: 'a search reads names and top-level strings, 2,000 code points of each',
    maps: [
      {
        name: called('needle'),
        value: p('a needle'),
        split: { name: 'hay', properties: { p: 'needle' } },
        key: { name: '-', properties: { needle: 1 } },
        list: p(['needle']),
        object: p({ needle: 'needle' }),
        last: p(`${'a '.repeat(997)}needle`),
        late: p(`${'a '.repeat(997)} needle`),
        astral: p(`${'😀'.repeat(1_994)}needle`),
        long: called(`${'x'.repeat(70)}`),
        third: { name: '-', properties: { a: 'hay', p: 'straw', z: 'a needle' } },
      },
    ],
    asks: [
      { filter: { search: 'needle' }, finds: 'name value split last astral third' },
      { filter: { search: 'needl' }, finds: 'name value split last late astral third' },
      { filter: { search: 'needle hay' }, finds: 'split third' },
      { filter: { search: 'x'.repeat(64) }, finds: 'long' },
      { filter: { search: `${'x'.repeat(20)}y` }, finds: '' },
    ],
  },
  {
    name: 'decimals are numbers in a number field',
    types: ['number'],
    maps: [NUMBERS],
    asks: [
      { filter: property({ eq: 7 }), finds: 'seven text zeros point' },
      { filter: property({ eq: '7.00' }), finds: 'seven text zeros point' },
      { filter: property({ in: ['10', -7, null] }), finds: 'ten less' },
      { filter: property({ from: 7, to: '9' }), finds: 'seven text zeros point more' },
      { filter: property({ from: '-7', to: '-7' }), finds: 'less' },
      { filter: property({ from: 8, to: 7 }), finds: '' },
      { filter: property({ prefix: '7' }), finds: 'text point exponent more' },
      { filter: property({ eq: 'seven' }), finds: 'word' },
      {
        order: byP('asc'),
        finds: 'less seven text zeros point more ten spaced sign exponent list nothing word none',
      },
      {
        order: byP('desc'),
        finds: 'ten more seven text zeros point less spaced sign exponent list nothing word none',
      },
    ],
  },
  {
    name: 'decimals of more digits than a double holds are its infinities in a number field',
    types: ['number'],
    maps: [{ seven: p(7), huge: p(HUGE), larger: p(`2${HUGE}`), least: p(LEAST), none: NONE }],
    asks: [
      { filter: property({ eq: HUGE }), finds: 'huge larger' },
      { filter: property({ from: HUGE }), finds: 'huge larger' },
      { filter: property({ to: HUGE }), finds: 'seven huge larger least' },
      { filter: property({ from: LEAST, to: LEAST }), finds: 'least' },
      { filter: property({ from: LEAST, to: 7 }), finds: 'seven least' },
      { order: byP('asc'), finds: 'least seven huge larger none' },
    ],
  },
  {
    name: 'decimals are strings elsewhere',
    maps: [NUMBERS],
    asks: [
      { filter: property({ eq: 7 }), finds: 'seven' },
      { filter: property({ eq: '7' }), finds: 'text' },
      { filter: property({ from: '10', to: '7' }), finds: 'text ten' },
      { filter: property({ from: -7, to: 7 }), finds: 'seven less' },
      {
        order: byP('asc'),
        finds: 'less seven nothing spaced sign zeros ten text point more exponent word list none',
      },
    ],
  },
  {
    name: 'days and instants are compared to the millisecond',
    types: ['date'],
    maps: [
      {
        day: p('2024-02-29'),
        start: p('2024-02-29T00:00:00Z'),
        before: p('2024-02-28T23:59:59.9999Z'),
        end: p('2024-02-29T23:59:59.999Z'),
        next: p('2024-03-01'),
        zoned: p('2024-03-01T00:30:00+01:00'),
        digits: p('2024-02-29T00:00:00.00199Z'),
        none: p('2023-02-29'),
        number: p(2024),
        early: p('0001-01-01'),
        text: p('today'),
      },
    ],
    asks: [
      { filter: property({ from: '2024-02-29', to: '2024-02-29' }), finds: 'day start end zoned digits' },
      { filter: property({ to: '2024-02-29T00:00:00Z' }), finds: 'day start before early' },
      {
        filter: property({ from: '2024-02-29T00:00:00.001Z', to: '2024-02-29T00:00:00.0011Z' }),
        finds: 'digits',
      },
      { filter: property({ from: '2024-03-01' }), finds: 'next' },
      { filter: property({ eq: '2024-02-29' }), finds: 'day' },
      { order: byP('asc'), finds: 'early before day start digits zoned end next none number text' },
      { order: byP('desc'), finds: 'next end zoned digits day start before early none number text' },
    ],
  },
  {
    name: 'null is a value, but a missing property is not',
    maps: [
      {
        null: p(null),
        none: NONE,
        empty: p(''),
        zero: p(0),
        minus: p(-0),
        no: p(false),
        word: p('false'),
        list: p([]),
      },
    ],
    asks: [
      { filter: property({ eq: null }), finds: 'null' },
      { filter: property({ in: [null, false] }), finds: 'null no' },
      { filter: property({ eq: 0 }), finds: 'zero minus' },
      { filter: property({ eq: '' }), finds: 'empty' },
      { filter: property({ exists: true }), finds: 'zero minus no word list' },
      { filter: property({ exists: false }), finds: 'null none empty' },
      { filter: { not: property({ eq: null }) }, finds: 'none empty zero minus no word list' },
      { order: byP('desc'), finds: 'word empty zero minus null none no list' },
    ],
  },
  {
    name: 'strings are compared by code point, and prefixes ignore case',
    maps: [
      { bmp: p('\uffff'), astral: p('\u{10000}'), upper: p('Éa'), lower: p('e\u0301b'), plain: p('ea') },
    ],
    asks: [
      { filter: property({ from: '\uffff' }), finds: 'bmp astral' },
      { filter: property({ to: '\uffff' }), finds: 'bmp upper lower plain' },
      { filter: property({ from: '\u{10000}' }), finds: 'astral' },
      { filter: property({ prefix: 'É' }), finds: 'upper lower plain' },
      { filter: property({ prefix: 'EA' }), finds: 'upper plain' },
      { order: byP('asc'), finds: 'plain upper lower bmp astral' },
      { order: byP('desc'), finds: 'astral bmp lower upper plain' },
    ],
  },
  {
    name: 'long strings that differ late are distinguished',
    maps: [
      {
        a: p(`${'x'.repeat(100)}a`),
        b: p(`${'x'.repeat(100)}b`),
        short: p('x'.repeat(100)),
        upper: p(`${'X'.repeat(100)}a`),
      },
    ],
    asks: [
      { filter: property({ eq: `${'x'.repeat(100)}a` }), finds: 'a' },
      { filter: property({ prefix: `${'x'.repeat(100)}a` }), finds: 'a upper' },
      { filter: property({ from: `${'x'.repeat(100)}a`, to: `${'x'.repeat(100)}az` }), finds: 'a' },
      { order: byP('asc'), finds: 'short upper a b' },
    ],
  },
  {
    name: 'a bound of the wrong kind for a map matches nothing in it',
    types: ['number', null, 'date'],
    maps: [
      { a: p('7'), b: p('b') },
      { c: p('c'), d: p(1) },
      { e: p('2024-01-01'), f: p('c') },
    ],
    asks: [
      { filter: property({ from: 'b' }), finds: 'c' },
      { filter: { not: property({ from: 'b' }) }, finds: 'a b d e f' },
      { filter: property({ from: 1 }), finds: 'a d' },
      { filter: { or: [property({ from: 2 }), property({ from: '2024-01-01' })] }, finds: 'a c e' },
    ],
  },
  {
    name: 'values of several maps follow each map’s definition, numbers before instants before strings',
    types: ['date', 'number', null],
    maps: [
      { day: p('2024-01-01'), no: p('7') },
      { ten: p('10'), nine: p('9'), word: p('x') },
      { text: p('10'), eight: p(8), null: p(null) },
    ],
    asks: [
      { order: byP('asc'), finds: 'eight nine ten day text no word null' },
      { order: byP('desc'), finds: 'text day ten nine eight no word null' },
      { filter: property({ eq: 10 }), finds: 'ten' },
      { filter: property({ eq: '10' }), finds: 'ten text' },
    ],
  },
  {
    name: 'the descending list is the exact reverse, and other ties follow the ascending list',
    maps: [
      {
        c: { ...called('Eis'), at: '2' },
        a: { ...called('eis'), at: '1' },
        b: { ...called('Zoo'), at: '1.0' },
      },
      { e: { ...called('eis'), at: 'x' }, d: { ...called('Ähre'), at: '-5' } },
    ],
    asks: [
      { finds: 'a b c d e' },
      { order: { by: 'list', direction: 'desc' }, finds: 'e d c b a' },
      { order: byName('asc'), finds: 'd c a e b' },
      { order: byName('desc'), finds: 'b a e c d' },
      { order: { by: 'createdAt', direction: 'desc' }, finds: 'a b c d e' },
      { order: { by: 'updatedAt' }, finds: 'a b c d e' },
      { order: byP('desc'), finds: 'a b c d e' },
    ],
  },
  {
    name: 'a property may have the name of an inherited member',
    maps: [
      {
        own: { name: '-', properties: JSON.parse('{"__proto__":"a","constructor":1}') as JsonObject },
        none: NONE,
      },
    ],
    asks: [
      { filter: { property: { name: '__proto__', eq: 'a' } }, finds: 'own' },
      { filter: { property: { name: '__proto__', exists: false } }, finds: 'none' },
      { filter: { property: { name: 'constructor', exists: true } }, finds: 'own' },
      { filter: { property: { name: 'toString', exists: false } }, finds: 'own none' },
      { order: { by: 'property', property: '__proto__', direction: 'desc' }, finds: 'own none' },
    ],
  },
  {
    name: 'ranges of times include both bounds',
    maps: [{ a: { createdAt: 1 }, b: { createdAt: 2 }, c: { createdAt: 3 } }],
    asks: [
      { filter: { createdAt: { from: new Date(2) } }, finds: 'b c' },
      { filter: { updatedAt: { to: new Date(2) } }, finds: 'a b' },
      {
        filter: {
          createdAt: { from: new Date(2), to: new Date(2) },
          updatedAt: { to: null, from: new Date(0) },
        },
        finds: 'b',
      },
      { filter: { createdAt: { from: new Date(3), to: new Date(2) } }, finds: '' },
      { order: { by: 'createdAt', direction: 'desc' }, finds: 'c b a' },
    ],
  },
  {
    name: 'open at a time, by the clock of the map',
    types: ['openingHours', 'text'],
    maps: [
      {
        day: p('Mo-Fr 09:00-18:00'),
        night: p('Mo-Su 22:00-04:00'),
        always: p('24/7'),
        never: p('off'),
        words: p('by appointment'),
        list: p(['24/7']),
        none: NONE,
      },
      { text: p('24/7') },
    ],
    // Summer time: two hours ahead of UTC.
    asks: [
      { filter: property({ openAt: new Date('2026-07-01T07:00Z') }), finds: 'day always' },
      { filter: property({ openAt: new Date('2026-07-01T15:59:59Z') }), finds: 'day always' },
      { filter: property({ openAt: new Date('2026-07-01T16:00Z') }), finds: 'always' },
      { filter: property({ openAt: new Date('2026-07-04T01:59Z') }), finds: 'night always' },
      {
        filter: { not: property({ openAt: new Date('2026-07-04T07:00Z') }) },
        finds: 'day night never words list none text',
      },
      { filter: { ...property({ openAt: new Date('2026-07-04T01:59Z') }), search: 'su' }, finds: 'night' },
    ],
  },
  {
    name: 'sibling filters are ANDed, and or and not combine nested filters',
    maps: [
      {
        a: { ...on(0, 0), name: 'one', externalId: 'x' },
        b: { ...on(0, 9), name: 'one', externalId: 'X' },
        c: { ...on(0, 0), name: 'two' },
      },
    ],
    asks: [
      { filter: { ...box(-1, -1, 1, 1), search: 'one' }, finds: 'a' },
      { filter: { or: [{ externalIds: ['X', 'unknown'] }, { search: 'two' }] }, finds: 'b c' },
      { filter: { or: [{ not: { externalIds: ['x'] } }, { ids: ['unknown'] }] }, finds: 'b c' },
      {
        filter: { and: [{ search: 'one' }, { not: box(-1, -1, 1, 1) }], search: null, or: null },
        finds: 'b',
      },
      { filter: { not: {} }, finds: '' },
      { filter: { and: [{}, { or: [{}, { search: 'two' }] }] }, finds: 'a b c' },
      { filter: { search: 'one', not: { search: 'two' }, externalIds: ['x', 'x'] }, finds: 'a' },
    ],
  },
];

function caseOf({ name, types = [], maps, asks }: Case): StorageCase {
  return {
    name,
    async run({ storage }) {
      const stored = [];
      const locations = [];
      const nameOf = new Map<string, string>();
      // The later map has the smaller id, so that the order of ids differs from that of creation.
      const ids = maps.map(newMapId).sort(compareCodePoints).reverse();
      for (const [number, items] of maps.entries()) {
        const type = types[number] ?? null;
        const fields = type === null ? [] : [{ name: 'p', type }];
        const timeZone = 'Europe/Berlin';
        const map = await seedMap(storage, { id: ids[number], createdAt: 10 + number, fields, timeZone });
        stored.push(searchedMap(map));
        const inserts = Object.values(items).map(({ at = null, ...location }) =>
          anInsert(map.id, { order: at, location: { properties: {}, ...location } }),
        );
        const outcomes = (await insertAll(storage, map.id, inserts)).map((outcome) => locationOf(outcome));
        locations.push(...outcomes);
        for (const [index, key] of Object.keys(items).entries()) nameOf.set(outcomes[index]!.id, key);
      }
      const names = (found: readonly { readonly id: string }[]) =>
        found.map(({ id }) => nameOf.get(id)).join(' ');
      for (const { filter = {}, order = LIST, finds } of asks) {
        const question = { filter, order };
        expectResult({ oracle: question }, names(referenceSearch(stored, locations, filter, order)), finds);
        const read = readFilter(filter, 'filter');
        const search = { maps: stored, filter: read, order: readOrder(order, read, 'orderBy') };
        const found = await storage.findLocations(search, WHOLE);
        expectResult(question, names(found.map(({ location }) => location)), finds);
        const walked = await walkHits(storage, search, { limit: 2, fromEnd: true });
        expectResult({ ...question, backwards: 2 }, names(walked.map(({ location }) => location)), finds);
        expectResult({ ...question, counted: true }, await storage.countMatches(search), found.length);
      }
    },
  };
}

export const SEARCH_CASES: readonly StorageCase[] = CASES.map(caseOf);
