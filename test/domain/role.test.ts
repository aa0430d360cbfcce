/** Roles: an order, and the higher of two. */

import fc from 'fast-check';

import { higherRole, includesRole, MAP_ROLES } from '../../src/domain/role.ts';

const role = fc.constantFrom(...MAP_ROLES);

it('roles are ordered: viewer, editor, owner', () => {
  expect(MAP_ROLES).toEqual(['viewer', 'editor', 'owner']);
  expect(MAP_ROLES.map((one) => MAP_ROLES.map((other) => includesRole(one, other)))).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});

it('the higher role is one of the two and includes both, whatever their order', () => {
  fc.assert(
    fc.property(role, role, (one, other) => {
      const higher = higherRole(one, other);
      expect([one, other]).toContain(higher);
      expect(higherRole(other, one)).toBe(higher);
      expect([includesRole(higher, one), includesRole(higher, other)]).toEqual([true, true]);
    }),
  );
});

it('of many roles, the order of comparing does not matter', () => {
  fc.assert(
    fc.property(fc.array(role, { minLength: 1, maxLength: 6 }), (roles) => {
      const last = MAP_ROLES.findLast((one) => roles.includes(one));
      expect(roles.reduce(higherRole)).toBe(last);
      expect(roles.toReversed().reduce(higherRole)).toBe(last);
    }),
  );
});
