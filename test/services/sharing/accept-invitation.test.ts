/** Accepting invitations with a session: the role becomes the highest, however often, in whatever order and at once. */

import fc from 'fast-check';

import { memberRole } from '../../../src/domain/members.ts';
import type { MapRole } from '../../../src/domain/role.ts';
import { MAP_ROLES } from '../../../src/domain/role.ts';
import { newOwnerId } from '../../../src/domain/ids.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { Caller } from '../../../src/services/caller.ts';
import { operatorFor } from '../../../src/services/operator.ts';
import type { Services } from '../../../src/services/services.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { OwnerRecord, Storage } from '../../../src/storage/storage.ts';
import { seedMap, seedOwner } from '../../contract/storage/fixtures.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { servicesOver } from '../../support/services.ts';
import { describeUnless } from '../../support/skip.ts';

const mongodb = await testServer();

const role = fc.constantFrom(...MAP_ROLES);
/** Roles of the invitations, and how often each is accepted. */
const plan = fc.record({
  /** Null for somebody who is no member. */
  before: fc.option(role),
  invitations: fc.array(fc.record({ role, maxUses: fc.constantFrom(1, 3), times: fc.constantFrom(1, 2) }), {
    minLength: 1,
    maxLength: 4,
  }),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

const highest = (roles: readonly (MapRole | null)[]) => MAP_ROLES.findLast((one) => roles.includes(one));

function sessionOf({ id, name }: OwnerRecord): Caller {
  return {
    ...{ kind: 'session', ownerId: id, ownerName: name, scope: 'write', mapId: null },
    ...{ tokenId: `session:${id}`, sessionId: 'session_1', expiresAt: null, isOwnerStored: true },
  };
}

function defineTests(url: string, numRuns: number): void {
  let storage: Storage;
  let services: Services;
  let inviter: OwnerRecord;
  beforeAll(async () => {
    storage = await openStorage(url, { timeoutMs: 20_000 });
    services = servicesOver(storage);
    inviter = await seedOwner(storage, 'inviter');
  });
  afterAll(() => storage.close());

  /** A map with a guest who may be a member, and the secrets to accept, one for each time. */
  async function prepare({ before, invitations }: Plan) {
    const { id: mapId } = await seedMap(storage, { ownerId: inviter.id });
    const guest = await seedOwner(storage, newOwnerId());
    const scope = { caller: operatorFor(inviter) };
    if (before !== null) await services.members.addMember(scope, mapId, guest.name, before);
    const uses: { readonly role: MapRole; readonly maxUses: number; readonly secret: string }[] = [];
    for (const { times, ...input } of invitations) {
      const { secret } = await services.invitations.createInvitation(scope, { mapId, ...input });
      for (let time = 0; time < times; time += 1) uses.push({ ...input, secret });
    }
    return { mapId, guest, uses };
  }

  const accept = async (guest: OwnerRecord, secret: string): Promise<MapRole | 'INVITATION_NOT_FOUND'> => {
    try {
      const scope = { caller: sessionOf(guest) };
      return (await services.invitations.acceptInvitation(scope, secret)).role;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'INVITATION_NOT_FOUND') return error.code;
      throw error;
    }
  };

  async function expectMembership(mapId: string, guest: OwnerRecord, expected: MapRole | undefined) {
    const [map] = await storage.getMaps([mapId]);
    expect(memberRole(map?.members ?? [], guest.id)).toBe(expected);
    expect(map?.members.filter(({ ownerId }) => ownerId === guest.id)).toHaveLength(1);
    expect(memberRole(map?.members ?? [], inviter.id)).toBe('owner');
  }

  it('one after the other, each raises the role or leaves it, and is used up only if it raises it', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const { mapId, guest, uses } = await prepare(given);
        let current = given.before;
        const used = new Map<string, number>();
        for (const { role: invited, maxUses, secret } of uses) {
          const count = used.get(secret) ?? 0;
          const outcome = await accept(guest, secret);
          if (count === maxUses) {
            expect(outcome).toBe('INVITATION_NOT_FOUND');
            continue;
          }
          const raised = highest([current, invited]) ?? null;
          expect(outcome).toBe(raised);
          if (raised !== current) used.set(secret, count + 1);
          current = raised;
        }
        await expectMembership(mapId, guest, current ?? undefined);
        const counts = await storage.listInvitations(mapId, Date.now());
        const total = counts.reduce((sum, { uses: count }) => sum + count, 0);
        const left = [...used].filter(([secret]) => uses.find((use) => use.secret === secret)?.maxUses !== 1);
        expect(total).toBe(left.reduce((sum, [, count]) => sum + count, 0));
      }),
      { numRuns },
    );
  });

  it('at the same time, the highest role stays, and nobody is a member twice', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const { mapId, guest, uses } = await prepare(given);
        const outcomes = await Promise.all(uses.map(({ secret }) => accept(guest, secret)));
        const final = highest([given.before, ...uses.map((use) => use.role)]);
        await expectMembership(mapId, guest, final);
        for (const [index, outcome] of outcomes.entries()) {
          // Only one that was accepted at least once, for one person, is gone.
          const use = uses[index]!;
          const again = outcomes.filter((_, other) => uses[other]?.secret === use.secret);
          if (outcome === 'INVITATION_NOT_FOUND') {
            expect([use.maxUses, again.some((each) => each !== 'INVITATION_NOT_FOUND')]).toEqual([1, true]);
          } else expect(highest([outcome, use.role])).toBe(outcome);
        }
      }),
      { numRuns },
    );
  });
}

describe('invitations on SQLite', () => {
  defineTests('sqlite::memory:', 150);
});

describeUnless(mongodb === null && NO_MONGODB, 'invitations on MongoDB', () => {
  if (mongodb === null) return;
  defineTests(ownDatabase(mongodb), 25);
});
