import type { Invitation } from '../../domain/invitation.ts';
import { MAX_INVITATIONS, useInvitation } from '../../domain/invitation.ts';
import { changeMembership, memberRole } from '../../domain/members.ts';
import type { MapRole } from '../../domain/role.ts';
import type { InvitationOutcome, InvitationStorage, InvitationUse } from '../storage.ts';
import type { Database } from './database.ts';
import type { SqlRow } from './engine/driver.ts';
import type { Reader } from './engine/statements.ts';
import { numberOf, textOf, textOrNull } from './engine/statements.ts';
import { getMap } from './maps.ts';
import { writeMembership } from './members.ts';

export function invitationStore(database: Database): InvitationStorage {
  return {
    insertInvitation: (invitation, scope) =>
      database.write(() => insertIfAllowed(database, invitation), scope),

    listInvitations: async (mapId, now) => database.read(() => listInvitations(database, mapId, now)),

    findInvitation: async (hash, now) => database.read(() => findInvitation(database, hash, now)),

    useInvitation: (hash, ownerId, now, scope) =>
      database.write(() => acceptInvitation(database, hash, ownerId, now), scope),

    removeInvitation: (mapId, id, scope) =>
      database.write(
        () => database.run('DELETE FROM invitations WHERE id = ? AND map_id = ?', id, mapId) === 1,
        scope,
      ),
  };
}

function insertIfAllowed(database: Database, invitation: Invitation): InvitationOutcome {
  const { mapId, createdBy, createdAt } = invitation;
  const map = getMap(database, mapId);
  if (map === null) return { kind: 'map-missing' };
  if (map.isDeleted) return { kind: 'map-deleted' };
  if (memberRole(map.members, createdBy) !== 'owner') return { kind: 'not-an-owner' };
  if (listInvitations(database, mapId, createdAt).length >= MAX_INVITATIONS) {
    return { kind: 'too-many-invitations' };
  }
  insertInvitation(database, invitation);
  return { kind: 'inserted' };
}

function acceptInvitation(database: Database, hash: string, ownerId: string, now: number): InvitationUse {
  const invitation = findInvitation(database, hash, now);
  const map = invitation === null ? null : getMap(database, invitation.mapId);
  if (invitation === null || map === null) return { kind: 'invitation-missing' };
  const change = { kind: 'raise', ownerId, role: invitation.role, since: now } as const;
  const result = changeMembership(map, change);
  if (result.kind === 'unchanged') return { kind: 'unchanged', map };
  if (result.kind === 'too-many-members') return result;
  if (result.kind !== 'changed') throw new Error('Raising a role adds members and lowers none.');
  const used = useInvitation(invitation);
  if (used === null) database.run('DELETE FROM invitations WHERE id = ?', invitation.id);
  else database.run('UPDATE invitations SET uses = ? WHERE id = ?', used.uses, invitation.id);
  return { kind: 'changed', map: writeMembership(database, map, result.membership, change, now) };
}

/** The open ones. */
export function listInvitations(reader: Reader, mapId: string, now: number): Invitation[] {
  const rows = reader.all(
    'SELECT * FROM invitations WHERE map_id = ? AND expires_at > ? ORDER BY created_at, id',
    ...[mapId, now],
  );
  return rows.map(toInvitation);
}

function findInvitation(database: Database, hash: string, now: number): Invitation | null {
  const row = database.get(
    `SELECT invitations.* FROM invitations JOIN maps ON maps.id = map_id
     WHERE hash = ? AND expires_at > ? AND is_deleted = 0`,
    ...[hash, now],
  );
  return row === undefined ? null : toInvitation(row);
}

export function insertInvitation(database: Database, invitation: Invitation): void {
  database.run(
    `INSERT INTO invitations (id, map_id, hash, role, note, max_uses, uses, created_by, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    invitation.id,
    invitation.mapId,
    invitation.hash,
    invitation.role,
    invitation.note,
    invitation.maxUses,
    invitation.uses,
    invitation.createdBy,
    invitation.createdAt,
    invitation.expiresAt,
  );
}

function toInvitation(row: SqlRow): Invitation {
  return {
    id: textOf(row, 'id'),
    mapId: textOf(row, 'map_id'),
    hash: textOf(row, 'hash'),
    role: textOf(row, 'role') as MapRole,
    note: textOrNull(row, 'note'),
    maxUses: numberOf(row, 'max_uses'),
    uses: numberOf(row, 'uses'),
    createdBy: textOf(row, 'created_by'),
    createdAt: numberOf(row, 'created_at'),
    expiresAt: numberOf(row, 'expires_at'),
  };
}
