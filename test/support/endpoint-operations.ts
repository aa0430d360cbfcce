/** Random operations on maps and locations that both endpoints support. */

import fc from 'fast-check';

import { anyJson } from './any-json.ts';
import type { Creation, TokenName } from './endpoints.ts';

/** Maps by position: three of the owner's, another owner's, and ids of no map. */
export const MAPS = { own: [0, 1, 2], foreign: 3, unknown: [4, 5] } as const;
const CALLED: readonly TokenName[] = ['write', 'read', 'limited', 'foreign', 'invalid', 'none'];

type Target =
  { readonly kind: 'known'; readonly position: number } | { readonly kind: 'odd'; readonly id: string };
export type Operation =
  | { readonly kind: 'create'; readonly map: number; readonly token: TokenName; readonly creation: Creation }
  | {
      readonly kind: 'list';
      readonly map: number;
      readonly token: TokenName;
      readonly limit: number;
      readonly pages: number;
    }
  | {
      readonly kind: 'get' | 'delete';
      readonly map: number;
      readonly token: TokenName;
      readonly target: Target;
    }
  | { readonly kind: 'deleteMap' | 'restoreMap'; readonly map: number }
  | { readonly kind: 'wait'; readonly hours: number };

const map = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...MAPS.own) },
  { weight: 1, arbitrary: fc.constantFrom(MAPS.foreign, ...MAPS.unknown) },
);
const token = fc.oneof({ weight: 8, arbitrary: fc.constant<TokenName>('write') }, fc.constantFrom(...CALLED));

const name = fc.constantFrom('', ' \t', '\0', '\ud800', 7, null, undefined);
const address = fc.constantFrom('Rue 1', '  ', null, ['x']);
const extra = fc.oneof(
  fc.constant({}),
  fc.dictionary(fc.string({ unit: 'grapheme' }), anyJson({ maxDepth: 2 }), { maxKeys: 3 }),
  fc.constantFrom(
    { deep: [[[[[[[[]]]]]]]] },
    { large: 'x'.repeat(70_000) },
    Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`k${index}`, 0])),
    JSON.parse('{"__proto__":1,"constructor":null,"":[]}') as object,
  ),
);
const goodFields = fc.tuple(
  fc.constantFrom('Louvre', 'Prado', '😀', 'a\u0301'),
  fc.constantFrom('Rue 1', 'Via 2'),
);
const fields = fc.oneof(
  {
    weight: 6,
    // The field names of both kinds of map, so that one location fits all.
    arbitrary: goodFields.map(([n, a]) => ({ Name: n, Address: a, Titel: n, address: a })),
  },
  fc
    .tuple(name, address, extra)
    .map(([n, a, more]) => ({ ...more, Name: n, Address: a, Titel: n, address: a })),
  fc
    .tuple(goodFields, extra)
    .map(([[n, a], more]) => ({ Titel: n, address: a, ...more, Name: n, Address: a })),
);
const order = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  {
    weight: 4,
    arbitrary: fc.constantFrom('1', '2', '2.5', '-3', '007', '7', '1e1', 'a', 'é', '😀', '9'.repeat(256)),
  },
  fc.constantFrom(null, '', '\n', '\u0085', '\ud800', 'x'.repeat(257), '😀'.repeat(256)),
);
const key = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: fc.constantFrom('k1', 'k2') },
  fc.constantFrom('', 'é', 'x'.repeat(256), 'a b'),
);
const target = fc.oneof(
  { weight: 5, arbitrary: fc.nat(9).map((position): Target => ({ kind: 'known', position })) },
  fc
    .constantFrom('x', '__proto__', 'é/?#%', '0000000000000000_000000000000')
    .map((id): Target => ({ kind: 'odd', id })),
);
const page = {
  limit: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.constantFrom(0, 100, 101, -1)),
  pages: fc.integer({ min: 1, max: 4 }),
};

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      map,
      token,
      creation: fc.record({ fields, order, key }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('list' as const), map, token, ...page }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('get' as const, 'delete' as const), map, token, target }),
  },
  fc.record({
    kind: fc.constantFrom('deleteMap' as const, ...Array<'restoreMap'>(3).fill('restoreMap')),
    map: fc.constantFrom(...MAPS.own),
  }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 24) }),
);

const at = (address: string) => ({ Name: 'A', Address: address, Titel: 'A', address });

/** A sequence that causes every failure of both endpoints. */
export const theWholeTable: Operation[] = [
  ...['Rue 1', ' ', 'unknown:', 'refused:', 'limited:', 'down:', 'bug:'].map((address): Operation => ({
    kind: 'create',
    map: 0,
    token: 'write',
    creation: { fields: at(address) },
  })),
  ...CALLED.map((name): Operation => ({
    kind: 'create',
    map: 1,
    token: name,
    creation: { fields: at('Rue 1') },
  })),
  ...['1', '2'].map((text): Operation => ({
    kind: 'create',
    map: 2,
    token: 'write',
    creation: { fields: at('Rue 1'), order: text, key: 'k' },
  })),
  ...MAPS.unknown.map((index): Operation => ({
    kind: 'list',
    map: index,
    token: 'write',
    limit: 1,
    pages: 9,
  })),
  { kind: 'list', map: 0, token: 'write', limit: 1, pages: 9 },
  { kind: 'get', map: 0, token: 'write', target: { kind: 'known', position: 0 } },
  { kind: 'deleteMap', map: 0 },
  { kind: 'get', map: 0, token: 'write', target: { kind: 'known', position: 0 } },
  { kind: 'restoreMap', map: 0 },
  { kind: 'delete', map: 0, token: 'write', target: { kind: 'known', position: 0 } },
  { kind: 'delete', map: 0, token: 'write', target: { kind: 'known', position: 0 } },
];
