/** Who may do what: the role on a map or of a link, the scope and the limit of a token, and what a method requires. */

import fc from 'fast-check';

import { newMapId } from '../../src/domain/ids.ts';
import type { MapRecord } from '../../src/domain/map.ts';
import type { MapRole } from '../../src/domain/role.ts';
import { MAP_ROLES } from '../../src/domain/role.ts';
import { ServiceError } from '../../src/errors.ts';
import type { Access } from '../../src/services/authorization.ts';
import { authorize, authorizeOn } from '../../src/services/authorization.ts';
import type { Caller } from '../../src/services/caller.ts';
import { aMap } from '../contract/storage/fixtures.ts';

const [ME, MAP, ANOTHER_MAP] = ['owner_me', newMapId(), newMapId()] as const;

const role = fc.constantFrom(...MAP_ROLES);
const scope = fc.constantFrom('read', 'write');

const caller: fc.Arbitrary<Caller> = fc
  .record({
    kind: fc.constantFrom('token', 'session', 'jwt', 'operator'),
    scope,
    mapId: fc.constantFrom(null, MAP, ANOTHER_MAP),
  })
  .map((given) => ({
    ...given,
    ...{ ownerId: ME, ownerName: 'me', tokenId: 'token_1' },
    ...{ sessionId: null, expiresAt: null, isOwnerStored: true },
  }));

/** Has the id of an owner, though no link has, so that a membership would count if it were looked up. */
const link: fc.Arbitrary<Caller> = caller.map((given) => ({
  ...given,
  kind: 'link',
  mapId: given.mapId ?? MAP,
}));

const anyone = fc.oneof({ weight: 3, arbitrary: caller }, link);

const access: fc.Arbitrary<Access> = fc
  .record(
    { role, scope: fc.option(scope, { nil: undefined }), evenIfDeleted: fc.boolean() },
    { requiredKeys: ['role'] },
  )
  .map(({ scope: needed, ...rest }) => (needed === undefined ? rest : { ...rest, scope: needed }));

/** @param mine null for no membership */
function mapWith(mine: MapRole | null, isDeleted: boolean, before: number): MapRecord {
  const members = [
    { ownerId: 'owner_1', role: 'owner', since: 1 },
    { ownerId: 'owner_2', role: 'viewer', since: 2 },
  ] as const;
  const me = mine === null ? [] : [{ ownerId: ME, role: mine, since: 3 }];
  return aMap('owner_1', {
    id: MAP,
    isDeleted,
    members: [...members.slice(0, before), ...me, ...members.slice(before)],
  });
}

const map = fc
  .record({ mine: fc.option(role), isDeleted: fc.boolean(), before: fc.nat(2) })
  .map(({ mine, isDeleted, before }) => ({ mine, record: mapWith(mine, isDeleted, before) }));

const ROLES_FROM: Readonly<Record<MapRole, readonly MapRole[]>> = {
  viewer: ['viewer', 'editor', 'owner'],
  editor: ['editor', 'owner'],
  owner: ['owner'],
};

function roleOf({ kind, scope: allowed, mapId }: Caller, mine: MapRole | null): MapRole | null {
  if (mapId === ANOTHER_MAP) return null;
  if (kind !== 'link') return mine;
  return allowed === 'read' ? 'viewer' : 'editor';
}

/** The code of the first thing that is missing; null if nothing is. */
function expectedCode(
  who: Caller | null,
  found: { readonly mine: MapRole | null; readonly record: MapRecord } | null,
  needed: Access,
): string | null {
  if (who === null) return 'UNAUTHENTICATED';
  const needsWrite = needed.scope === undefined ? needed.role !== 'viewer' : needed.scope === 'write';
  if (needsWrite && who.scope === 'read') return 'FORBIDDEN';
  const mine = found === null ? null : roleOf(who, found.mine);
  if (mine === null) return 'MAP_NOT_FOUND';
  if (!ROLES_FROM[needed.role].includes(mine)) return 'FORBIDDEN';
  return found?.record.isDeleted === true && needed.evenIfDeleted !== true ? 'MAP_DELETED' : null;
}

async function outcomeOf(
  who: Caller | null,
  found: MapRecord | null,
  needed: Access,
): Promise<{ readonly code: string | null; readonly message: string | null }> {
  const storage = { getMaps: async (ids: readonly string[]) => ids.map(() => found) };
  try {
    const allowed = await authorize(storage, { caller: who }, MAP, needed);
    expect(allowed).toEqual({ caller: who, map: found });
    return { code: null, message: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { code: error.code, message: error.message };
  }
}

it('a method is allowed if the scope, the membership and the role suffice, and says what is missing first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.option(anyone, { freq: 20 }),
      fc.option(map, { freq: 20 }),
      access,
      async (who, found, needed) => {
        const { code } = await outcomeOf(who, found?.record ?? null, needed);
        expect(code).toBe(expectedCode(who, found, needed));
      },
    ),
    { numRuns: 2_000 },
  );
});

it('a map that was read before has the same outcome, but in the public view', async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(anyone, { freq: 20 }), map, access, async (who, { record }, needed) => {
      const { code } = await outcomeOf(who, record, needed);
      const codeOn = (view: Parameters<typeof authorizeOn>[1]) => {
        try {
          authorizeOn({ caller: who }, view, needed, 'members');
          return null;
        } catch (error) {
          return (error as ServiceError).code;
        }
      };
      expect(codeOn(record)).toBe(code);
      expect(codeOn({ ...record, view: 'public' } as never)).toBe('FORBIDDEN');
    }),
    { numRuns: 1_000 },
  );
});

it('a map of others is refused as an unknown one is, to the letter', async () => {
  await fc.assert(
    fc.asyncProperty(anyone, map, access, async (who, { mine, record }, needed) => {
      fc.pre(roleOf(who, mine) === null);
      expect(await outcomeOf(who, record, needed)).toEqual(await outcomeOf(who, null, needed));
    }),
    { numRuns: 1_000 },
  );
});

it('a higher role, a wider scope or no limit never takes away what was allowed', async () => {
  await fc.assert(
    fc.asyncProperty(caller, role, role, access, async (who, mine, other, needed) => {
      const [code] = [(await outcomeOf(who, mapWith(mine, false, 1), needed)).code];
      fc.pre(code === null);
      const more = { ...who, scope: 'write', mapId: null } as const;
      expect((await outcomeOf(more, mapWith(mine, false, 1), needed)).code).toBeNull();
      if (ROLES_FROM[mine].includes(other)) {
        expect((await outcomeOf(who, mapWith(other, false, 1), needed)).code).toBeNull();
      }
    }),
    { numRuns: 1_000 },
  );
});
