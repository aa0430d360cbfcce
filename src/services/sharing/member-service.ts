/** The members of a map: listed by members, changed by owners. */

import type { MapRecord } from '../../domain/map.ts';
import type { MapMember } from '../../domain/members.ts';
import { MAX_MEMBERS } from '../../domain/members.ts';
import { shownName } from '../../domain/owner-name.ts';
import type { MapView } from '../../domain/public-view.ts';
import type { MapRole } from '../../domain/role.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { MembersOutcome, OwnerRecord, Storage } from '../../storage/storage.ts';
import type { WriteAudit } from '../audit/audit.ts';
import { ok } from '../audit/audit.ts';
import { authorize, authorizeOn } from '../authorization.ts';
import type { Caller } from '../caller.ts';
import { mapUnavailableError, requireNoLink } from '../caller.ts';
import type { Scope } from '../scope.ts';
import type { TokenService } from '../tokens/token-service.ts';

export interface ShownMember extends Pick<MapMember, 'role' | 'since'> {
  /** The owner's. */
  readonly id: string;
  readonly name: string;
  /** See {@link shownName}. */
  readonly displayName: string;
  readonly isMe: boolean;
}

export interface MemberServiceOptions {
  readonly storage: Storage;
  readonly owners: Pick<TokenService, 'findOrCreateOwner'>;
  readonly audit: WriteAudit;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export class MemberService {
  readonly #options: MemberServiceOptions;

  constructor(options: MemberServiceOptions) {
    this.#options = options;
  }

  /** In the order of joining. @throws ServiceError FORBIDDEN in the public view */
  async listMembers(scope: Scope, map: MapView): Promise<readonly ShownMember[]> {
    const access = { role: 'viewer', evenIfDeleted: true } as const;
    const { caller, map: known } = authorizeOn(scope, map, access, 'members');
    requireNoLink(caller, 'see its members');
    const ids = known.members.map(({ ownerId }) => ownerId);
    const owners = await this.#options.storage.findOwners(ids, scope);
    return known.members.map((member, index) => shownOf(member, owners[index] ?? null, caller));
  }

  /**
   * Adds an owner to the members, or gives it another role. Creates the owner if there is none of that name.
   *
   * @throws ServiceError FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED; LAST_OWNER; BAD_USER_INPUT for too many members
   */
  addMember(
    scope: Scope,
    mapId: string,
    ownerName: string,
    role: MapRole,
  ): Promise<{ readonly owner: OwnerRecord; readonly created: boolean }> {
    const { storage, owners, audit, clock } = this.#options;
    const audited = {
      operation: 'addMember',
      subject: { mapId, ids: [] },
      done: ({ owner }: { readonly owner: OwnerRecord }) => ok(mapId, [owner.id]),
    };
    return audit.run(scope, audited, async () => {
      await authorize(storage, scope, mapId, { role: 'owner' });
      const found = await owners.findOrCreateOwner(ownerName);
      const now = clock();
      const change = { kind: 'set', ownerId: found.owner.id, role, since: now } as const;
      changedMap(await storage.changeMembers(mapId, change, now, scope));
      return found;
    });
  }

  /** Gives a member another role. @throws ServiceError as {@link addMember}; MEMBER_NOT_FOUND */
  updateMember(
    scope: Scope,
    mapId: string,
    ownerId: string,
    role: MapRole,
  ): Promise<{ readonly map: MapRecord; readonly member: ShownMember }> {
    const { storage, audit, clock } = this.#options;
    const audited = { operation: 'updateMember', subject: { mapId, ids: [ownerId] } };
    return audit.run(scope, audited, async () => {
      const { caller } = await authorize(storage, scope, mapId, { role: 'owner' });
      const change = { kind: 'update', ownerId, role } as const;
      const map = changedMap(await storage.changeMembers(mapId, change, clock(), scope));
      const member = map.members.find((each) => each.ownerId === ownerId);
      const [owner = null] = await storage.findOwners([ownerId], scope);
      if (member === undefined) throw memberNotFound();
      return { map, member: shownOf(member, owner, caller) };
    });
  }

  /** @throws ServiceError as {@link addMember}; MEMBER_NOT_FOUND */
  removeMember(scope: Scope, mapId: string, ownerId: string): Promise<MapRecord> {
    const { storage, audit, clock } = this.#options;
    const audited = { operation: 'removeMember', subject: { mapId, ids: [ownerId] } };
    return audit.run(scope, audited, async () => {
      await authorize(storage, scope, mapId, { role: 'owner' });
      const change = { kind: 'remove', ownerId } as const;
      return changedMap(await storage.changeMembers(mapId, change, clock(), scope));
    });
  }

  /** Ends the caller's own membership. @throws ServiceError FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED, LAST_OWNER */
  async leaveMap(scope: Scope, mapId: string): Promise<void> {
    const { storage, audit, clock } = this.#options;
    const audited = { operation: 'leaveMap', subject: { mapId, ids: [] } };
    await audit.run(scope, audited, async () => {
      const { caller } = await authorize(storage, scope, mapId, { role: 'viewer', scope: 'write' });
      requireNoLink(caller, 'leave it');
      const change = { kind: 'remove', ownerId: caller.ownerId } as const;
      return changedMap(await storage.changeMembers(mapId, change, clock(), scope));
    });
  }
}

/** @param owner null if the store lacks it, which the doctor reports */
function shownOf(
  { ownerId, role, since }: MapMember,
  owner: OwnerRecord | null,
  caller: Caller,
): ShownMember {
  const { name, displayName } = owner ?? { name: '', displayName: null };
  return {
    ...{ id: ownerId, name, displayName: shownName({ name, displayName }) },
    ...{ role, since, isMe: ownerId === caller.ownerId },
  };
}

function changedMap(outcome: MembersOutcome): MapRecord {
  switch (outcome.kind) {
    case 'changed':
    case 'unchanged':
      return outcome.map;
    case 'not-a-member':
      throw memberNotFound();
    case 'last-owner':
      throw new ServiceError('LAST_OWNER', 'A map needs an owner: make another member an owner first.');
    case 'too-many-members':
      throw tooManyMembers();
    default:
      throw mapUnavailableError(outcome);
  }
}

function memberNotFound(): ServiceError {
  return new ServiceError('MEMBER_NOT_FOUND', 'The map has no such member.');
}

export function tooManyMembers(): ServiceError {
  return badUserInput(`The map has ${MAX_MEMBERS} members, the maximum; remove one first.`, {
    reason: 'limitReached',
    max: MAX_MEMBERS,
  });
}
