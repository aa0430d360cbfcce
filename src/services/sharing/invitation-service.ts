/** Invitations to a map: made, listed and revoked by its owners, accepted by whoever has the link. */

import { isInvitationId, newInvitationId } from '../../domain/ids.ts';
import type { Invitation } from '../../domain/invitation.ts';
import {
  MAX_INVITATION_DAYS,
  MAX_INVITATION_USES,
  MAX_INVITATIONS,
  MAX_NOTE_LENGTH,
} from '../../domain/invitation.ts';
import type { MapRecord } from '../../domain/map.ts';
import { memberRole } from '../../domain/members.ts';
import { shownName } from '../../domain/owner-name.ts';
import type { MapView } from '../../domain/public-view.ts';
import type { MapRole } from '../../domain/role.ts';
import { assertStorable, isLabel } from '../../domain/text.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { OwnerRecord, Storage } from '../../storage/storage.ts';
import type { WriteAudit } from '../audit/audit.ts';
import { ok } from '../audit/audit.ts';
import { authorize, authorizeOn } from '../authorization.ts';
import { mapNotFound, mapUnavailableError, requireUnlimited } from '../caller.ts';
import type { Scope } from '../scope.ts';
import { hashOf, newSecret } from '../secrets/random-secrets.ts';
import { storedOwnerId } from '../tokens/jwt-callers.ts';
import { tooManyMembers } from './member-service.ts';

const INVITATION_PREFIX = 'mli_';
const DAY_MS = 24 * 60 * 60 * 1000;

/** The members of an invitation that owners of its map see. */
export interface ShownInvitation extends Pick<
  Invitation,
  'id' | 'role' | 'note' | 'maxUses' | 'uses' | 'createdAt' | 'expiresAt'
> {
  /** The owner who invites, by the name for people. */
  readonly createdBy: string;
  /** By the unique name. */
  readonly createdByOwner: string;
}

/** What the invited see before they accept. */
export interface PreviewedInvitation extends Pick<Invitation, 'role' | 'note' | 'expiresAt'> {
  readonly mapName: string;
  /** The owner who invites, by the name for people. */
  readonly invitedBy: string;
  /** By the unique name. */
  readonly invitedByOwner: string;
}

export interface NewInvitation {
  readonly mapId: string;
  readonly role: MapRole;
  /** By default after {@link MAX_INVITATION_DAYS}. */
  readonly expiresAt?: Date | null;
  /** By default 1. */
  readonly maxUses?: number | null;
  readonly note?: string | null;
}

export interface InvitationServiceOptions {
  readonly storage: Storage;
  readonly audit: WriteAudit;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export class InvitationService {
  readonly #options: InvitationServiceOptions;

  constructor(options: InvitationServiceOptions) {
    this.#options = options;
  }

  /** The open ones, in the order of creation. @throws ServiceError FORBIDDEN in the public view, and below owner */
  async listInvitations(scope: Scope, map: MapView): Promise<readonly ShownInvitation[]> {
    const { storage, clock } = this.#options;
    const access = { role: 'owner', scope: 'read', evenIfDeleted: true } as const;
    authorizeOn(scope, map, access, 'invitations');
    const invitations = await storage.listInvitations(map.id, clock(), scope);
    const owners = await storage.findOwners(
      invitations.map(({ createdBy }) => createdBy),
      scope,
    );
    return invitations.map((invitation, index) => shownOf(invitation, owners[index] ?? null));
  }

  /**
   * @returns the invitation's secret, which is never shown again
   * @throws ServiceError FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED, BAD_USER_INPUT
   */
  createInvitation(
    scope: Scope,
    input: NewInvitation,
  ): Promise<{ readonly invitation: ShownInvitation; readonly secret: string }> {
    const { mapId, role } = input;
    const audited = {
      operation: 'createInvitation',
      subject: { mapId, ids: [] },
      done: ({ invitation }: { readonly invitation: ShownInvitation }) => ok(mapId, [invitation.id]),
    };
    return this.#options.audit.run(scope, audited, async () => {
      const { storage, clock } = this.#options;
      const { caller } = await authorize(storage, scope, mapId, { role: 'owner' });
      const now = clock();
      const secret = newSecret(INVITATION_PREFIX);
      const invitation: Invitation = {
        ...{ id: newInvitationId(), mapId, hash: hashOf(secret), role },
        ...readLimits(input, now),
        uses: 0,
        createdBy: caller.ownerId,
        createdAt: now,
      };
      const outcome = await storage.insertInvitation(invitation, scope);
      if (outcome.kind === 'too-many-invitations') {
        throw badUserInput(
          `The map has ${MAX_INVITATIONS} open invitations, the maximum; revoke one or wait until one is used.`,
          { reason: 'limitReached', max: MAX_INVITATIONS },
        );
      }
      // The caller's role has changed since the authorization.
      if (outcome.kind === 'not-an-owner') throw mapNotFound();
      if (outcome.kind !== 'inserted') throw mapUnavailableError(outcome);
      const [owner = null] = await storage.findOwners([caller.ownerId], scope);
      return { invitation: shownOf(invitation, owner), secret };
    });
  }

  /** @throws ServiceError FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED, INVITATION_NOT_FOUND */
  revokeInvitation(scope: Scope, mapId: string, id: string): Promise<void> {
    const audited = { operation: 'revokeInvitation', subject: { mapId, ids: [id] } };
    return this.#options.audit.run(scope, audited, async () => {
      const { storage } = this.#options;
      await authorize(storage, scope, mapId, { role: 'owner' });
      const isRemoved = isInvitationId(id) && (await storage.removeInvitation(mapId, id, scope));
      if (!isRemoved) throw new ServiceError('INVITATION_NOT_FOUND', 'The map has no such open invitation.');
    });
  }

  /**
   * Needs no caller: the invited see who invites them before they sign in.
   *
   * @throws ServiceError INVITATION_NOT_FOUND; RATE_LIMITED after too many wrong secrets
   */
  async previewInvitation(scope: Scope, secret: string): Promise<PreviewedInvitation> {
    const { storage } = this.#options;
    const { mapId, createdBy, role, note, expiresAt } = await this.#findOpen(scope, secret);
    const [map = null] = await storage.getMaps([mapId], scope);
    const [inviter = null] = await storage.findOwners([createdBy], scope);
    const names = {
      invitedBy: inviter === null ? '' : shownName(inviter),
      invitedByOwner: inviter?.name ?? '',
    };
    return { mapName: map?.name ?? '', ...names, role, note, expiresAt };
  }

  /**
   * Makes the caller's owner a member of the map, or raises the owner's role. An owner with that role or a higher one does
   * not use the invitation up.
   *
   * @throws ServiceError UNAUTHENTICATED, FORBIDDEN, INVITATION_NOT_FOUND; BAD_USER_INPUT for too many members; RATE_LIMITED
   *   after too many wrong secrets
   */
  acceptInvitation(
    scope: Scope,
    secret: string,
  ): Promise<{ readonly map: MapRecord; readonly ownerId: string; readonly role: MapRole }> {
    const audited = {
      operation: 'acceptInvitation',
      subject: { mapId: null, ids: [] },
      done: ({ map, ownerId }: { readonly map: MapRecord; readonly ownerId: string }) =>
        ok(map.id, [ownerId]),
    };
    return this.#options.audit.run(scope, audited, async () => {
      const { storage, clock } = this.#options;
      const caller = requireUnlimited(scope.caller, 'accept invitations');
      // Before the owner of a JWT is stored.
      const invitation = await this.#findOpen(scope, secret);
      const now = clock();
      const ownerId = await storedOwnerId(storage, caller, now);
      const used = await storage.useInvitation(invitation.hash, ownerId, now, scope);
      if (used.kind === 'invitation-missing') throw invitationNotFound();
      if (used.kind === 'too-many-members') throw tooManyMembers();
      const { map } = used;
      return { map, ownerId, role: memberRole(map.members, ownerId) ?? invitation.role };
    });
  }

  async #findOpen(scope: Scope, secret: string): Promise<Invitation> {
    const { storage, clock } = this.#options;
    const invitation = await storage.findInvitation(hashOf(secret), clock(), scope);
    if (invitation !== null) return invitation;
    scope.countWrongSecret?.();
    throw invitationNotFound();
  }
}

/** @throws ServiceError BAD_USER_INPUT */
function readLimits(
  { expiresAt = null, maxUses, note = null }: NewInvitation,
  now: number,
): Pick<Invitation, 'expiresAt' | 'maxUses' | 'note'> {
  const latest = now + MAX_INVITATION_DAYS * DAY_MS;
  const end = expiresAt?.getTime() ?? latest;
  if (!(end > now && end <= latest)) {
    throw badUserInput(`expiresAt must be in the future, and within ${MAX_INVITATION_DAYS} days.`);
  }
  const uses = maxUses ?? 1;
  if (!(uses >= 1 && uses <= MAX_INVITATION_USES)) {
    throw badUserInput(`maxUses must be 1 to ${MAX_INVITATION_USES}.`);
  }
  if (note !== null) assertNote(note);
  return { expiresAt: end, maxUses: uses, note };
}

function assertNote(note: string): void {
  assertStorable(note, 'note');
  if (!isLabel(note, MAX_NOTE_LENGTH)) {
    throw badUserInput(
      `note must be 1 to ${MAX_NOTE_LENGTH} characters, not blank, without control characters.`,
    );
  }
}

function shownOf(invitation: Invitation, owner: OwnerRecord | null): ShownInvitation {
  const { id, role, note, maxUses, uses, createdAt, expiresAt } = invitation;
  const names = { createdBy: owner === null ? '' : shownName(owner), createdByOwner: owner?.name ?? '' };
  return { id, role, note, maxUses, uses, createdAt, expiresAt, ...names };
}

/** The same error for an unknown invitation and for a used, expired or revoked one. */
function invitationNotFound(): ServiceError {
  return new ServiceError(
    'INVITATION_NOT_FOUND',
    'The invitation does not exist, or it is used, expired or revoked.',
  );
}
