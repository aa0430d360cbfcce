/** The permissions of contract.md and capabilities.md (§12, §14, §18): one line for each operation. */

import type { MapRole } from '../../src/domain/role.ts';
import { includesRole } from '../../src/domain/role.ts';

/**
 * The token or session of a request. The owner's tokens, sessions and the JWTs belong to the same owner, whose maps are
 * shared with one member of each role.
 */
export const CALLERS = {
  'no token': { is: 'nobody' },
  'an unknown token': { is: 'invalid' },
  'an expired token': { is: 'invalid' },
  'a revoked token': { is: 'invalid' },
  "the owner's": { is: 'owner', may: 'write' },
  "the owner's to read": { is: 'owner', may: 'read' },
  "the owner's for another map": { is: 'owner', may: 'write', limitedTo: 'another map' },
  "the owner's for this map": { is: 'owner', may: 'write', limitedTo: 'this map' },
  "the owner's to read this map": { is: 'owner', may: 'read', limitedTo: 'this map' },
  "another owner's": { is: 'another', may: 'write' },
  "another owner's to read": { is: 'another', may: 'read' },
  'a JWT to write': { is: 'owner', may: 'write' },
  'a JWT to read': { is: 'owner', may: 'read' },
  'a JWT without a scope': { is: 'without rights' },
  'a JWT that is over': { is: 'invalid' },
  "another owner's JWT": { is: 'another', may: 'write' },
  'a session': { is: 'owner', may: 'write', by: 'session' },
  'a session, from another site': { is: 'owner', may: 'write', by: 'session', isElsewhere: true },
  'a session that has ended': { is: 'nobody' },
  "another owner's session": { is: 'another', may: 'write', by: 'session' },
  "a viewer's": { is: 'member', role: 'viewer', may: 'write' },
  "a viewer's to read": { is: 'member', role: 'viewer', may: 'read' },
  "a viewer's session": { is: 'member', role: 'viewer', may: 'write', by: 'session' },
  "an editor's": { is: 'member', role: 'editor', may: 'write' },
  "an editor's to read": { is: 'member', role: 'editor', may: 'read' },
  "an editor's session": { is: 'member', role: 'editor', may: 'write', by: 'session' },
  "a second owner's": { is: 'member', role: 'owner', may: 'write' },
  "a second owner's session": { is: 'member', role: 'owner', may: 'write', by: 'session' },
  "a removed member's": { is: 'another', may: 'write' },
  'a view link of the map': { is: 'member', role: 'viewer', may: 'read', by: 'link', limitedTo: 'this map' },
  'an edit link of the map': {
    is: 'member',
    role: 'editor',
    may: 'write',
    by: 'link',
    limitedTo: 'this map',
  },
  'a link of another map': {
    is: 'member',
    role: 'editor',
    may: 'write',
    by: 'link',
    limitedTo: 'another map',
  },
} as const satisfies Record<string, Caller>;

export type CallerName = keyof typeof CALLERS;

export interface Caller {
  /** A member has a role on all maps of the owner. */
  readonly is: 'owner' | 'member' | 'another' | 'nobody' | 'invalid' | 'without rights';
  /** Of a member. */
  readonly role?: MapRole;
  readonly may?: 'read' | 'write';
  readonly limitedTo?: 'this map' | 'another map';
  readonly by?: 'session' | 'link';
  /** Whether the request comes from a page of another site. */
  readonly isElsewhere?: boolean;
}

/** What an endpoint does with a session's cookie: refuses it from elsewhere, accepts it since it only reads, or ignores it. */
export type CookieUse = 'own pages' | 'reads' | 'ignored';

/** The target maps. A third owner has the foreign ones; the unknown one does not exist. */
export const TARGETS = {
  own: { isOwners: true, isPublished: false, isDeleted: false },
  'own and published': { isOwners: true, isPublished: true, isDeleted: false },
  'own, published and deleted': { isOwners: true, isPublished: true, isDeleted: true },
  foreign: { isOwners: false, isPublished: false, isDeleted: false },
  'foreign and published': { isOwners: false, isPublished: true, isDeleted: false },
  'foreign, published and deleted': { isOwners: false, isPublished: true, isDeleted: true },
  unknown: { isOwners: false, isPublished: false, isDeleted: false },
} as const satisfies Record<string, Target>;

export type TargetName = keyof typeof TARGETS;

export interface Target {
  readonly isOwners: boolean;
  readonly isPublished: boolean;
  readonly isDeleted: boolean;
}

export interface Rule {
  /** The required right: `manage` is to write and not limited to one map; `nothing` needs no token. */
  readonly needs: 'nothing' | 'read' | 'write' | 'manage' | 'session';
  /** The required role on the map; by default that of a viewer to read, and of an editor to write. */
  readonly role?: MapRole;
  /** The target: a map (with its content), a token of the owner, an invitation, or nothing that can be unknown. */
  readonly about: 'map' | 'token' | 'invitation' | 'nothing';
  /** The outcome for a deleted map: as for any other (`OK`), refused, or null. */
  readonly ofDeleted?: 'OK' | 'NULL' | 'MAP_DELETED' | 'INVITATION_NOT_FOUND';
  /** The outcome for a foreign or unknown map. */
  readonly ofUnknown?: 'NULL' | 'MAP_NOT_FOUND' | 'TOKEN_NOT_FOUND' | 'INVITATION_NOT_FOUND';
  /** Who sees the public view of a published map: `all` callers, or only `others`, in place of a refusal. */
  readonly shows?: 'all' | 'others';
}

const OF_MAP = { about: 'map', ofUnknown: 'MAP_NOT_FOUND', ofDeleted: 'MAP_DELETED' } as const;
/** Whoever has the secret may use it. */
const OF_INVITATION = {
  about: 'invitation',
  ofUnknown: 'INVITATION_NOT_FOUND',
  ofDeleted: 'INVITATION_NOT_FOUND',
} as const;
const EVEN_DELETED = { ...OF_MAP, ofDeleted: 'OK' } as const;

/** Keyed by root field. */
export const GRAPHQL_RULES: Readonly<Record<string, Rule>> = {
  viewer: { needs: 'read', about: 'nothing' },
  map: { needs: 'read', ...EVEN_DELETED },
  publicMap: { needs: 'nothing', ...OF_MAP, shows: 'all' },
  location: { needs: 'read', ...OF_MAP },
  geocode: { needs: 'write', ...OF_MAP },
  reverseGeocode: { needs: 'write', ...OF_MAP },
  suggestAddresses: { needs: 'write', ...OF_MAP },
  node: { needs: 'read', about: 'map', ofUnknown: 'NULL', ofDeleted: 'OK' },
  nodes: { needs: 'read', about: 'map', ofUnknown: 'NULL', ofDeleted: 'NULL' },
  invitation: { needs: 'nothing', ...OF_INVITATION },
  createMap: { needs: 'manage', about: 'nothing' },
  updateMap: { needs: 'write', role: 'owner', ...OF_MAP },
  deleteMap: { needs: 'write', role: 'owner', ...EVEN_DELETED },
  restoreMap: { needs: 'write', role: 'owner', ...EVEN_DELETED },
  createLocation: { needs: 'write', ...OF_MAP },
  createLocations: { needs: 'write', ...OF_MAP },
  updateLocation: { needs: 'write', ...OF_MAP },
  upsertLocations: { needs: 'write', ...OF_MAP },
  moveLocations: { needs: 'write', ...OF_MAP },
  geocodeLocations: { needs: 'write', ...OF_MAP },
  checkLocations: { needs: 'write', ...OF_MAP },
  deleteLocation: { needs: 'write', ...OF_MAP },
  deleteLocations: { needs: 'write', ...OF_MAP },
  restoreLocations: { needs: 'write', ...OF_MAP },
  purgeLocations: { needs: 'write', role: 'owner', ...OF_MAP },
  restoreVersion: { needs: 'write', ...OF_MAP },
  undoChange: { needs: 'write', ...OF_MAP },
  createToken: { needs: 'manage', ...OF_MAP },
  createInvitation: { needs: 'write', role: 'owner', ...OF_MAP },
  revokeInvitation: { needs: 'write', role: 'owner', ...OF_MAP },
  acceptInvitation: { needs: 'manage', ...OF_INVITATION },
  updateMember: { needs: 'write', role: 'owner', ...OF_MAP },
  removeMember: { needs: 'write', role: 'owner', ...OF_MAP },
  leaveMap: { needs: 'write', role: 'viewer', ...OF_MAP },
  createWebhook: { needs: 'write', role: 'owner', ...OF_MAP },
  updateWebhook: { needs: 'write', role: 'owner', ...OF_MAP },
  deleteWebhook: { needs: 'write', role: 'owner', ...OF_MAP },
  rotateWebhookSecret: { needs: 'write', role: 'owner', ...OF_MAP },
  testWebhook: { needs: 'write', role: 'owner', ...OF_MAP },
  createMapLink: { needs: 'write', role: 'owner', ...OF_MAP },
  replaceMapLink: { needs: 'write', role: 'owner', ...OF_MAP },
  revokeMapLink: { needs: 'write', role: 'owner', ...OF_MAP },
  revokeToken: { needs: 'manage', about: 'token', ofUnknown: 'TOKEN_NOT_FOUND' },
  endSessions: { needs: 'session', about: 'nothing' },
  changePassword: { needs: 'session', about: 'nothing' },
  locationChanges: { needs: 'read', ...OF_MAP },
};

/** The least that a link to a map must allow, keyed by root field. */
export const LINK_RULES: Readonly<Record<string, LinkRule>> = {
  ...ofFields('view', ['viewer', 'map', 'publicMap', 'location', 'node', 'nodes', 'invitation']),
  ...ofFields('view', ['locationChanges']),
  ...ofFields('edit', ['geocode', 'reverseGeocode', 'suggestAddresses', 'createLocation', 'createLocations']),
  ...ofFields('edit', ['updateLocation', 'upsertLocations', 'moveLocations', 'geocodeLocations']),
  ...ofFields('edit', ['checkLocations', 'deleteLocation', 'deleteLocations', 'restoreLocations']),
  ...ofFields('edit', ['restoreVersion', 'undoChange']),
  ...ofFields('never', ['createMap', 'updateMap', 'deleteMap', 'restoreMap', 'purgeLocations']),
  ...ofFields('never', ['createToken', 'revokeToken', 'endSessions', 'changePassword']),
  ...ofFields('never', ['createInvitation', 'revokeInvitation', 'acceptInvitation']),
  ...ofFields('never', ['createMapLink', 'replaceMapLink', 'revokeMapLink']),
  ...ofFields('never', ['updateMember', 'removeMember', 'leaveMap']),
  ...ofFields('never', [
    'createWebhook',
    'updateWebhook',
    'deleteWebhook',
    'rotateWebhookSecret',
    'testWebhook',
  ]),
};

export type LinkRule = 'view' | 'edit' | 'never';

function ofFields(rule: LinkRule, fields: readonly string[]): Record<string, LinkRule> {
  return Object.fromEntries(fields.map((field) => [field, rule]));
}

/** Keyed by method and path. */
export const V0_RULES: Readonly<Record<string, Rule>> = {
  'GET /v0/map/:mapId': { needs: 'read', ...EVEN_DELETED },
  'POST /v0/map/:mapId/location': { needs: 'write', ...OF_MAP },
  'GET /v0/map/:mapId/locations': { needs: 'read', ...OF_MAP },
  'GET /v0/map/:mapId/location/:locationId': { needs: 'read', ...OF_MAP },
  'DELETE /v0/map/:mapId/location/:locationId': { needs: 'write', ...OF_MAP },
};

/** Exports: for callers with read access, and for everybody when the map is published. */
export const EXPORT_RULE: Rule = { needs: 'nothing', ...OF_MAP, shows: 'others' };

export type Outcome = 'OK' | 'NULL' | Refusal;
type Refusal =
  | 'UNAUTHENTICATED'
  | 'INVALID_TOKEN'
  | 'CSRF'
  | 'FORBIDDEN'
  | 'WITHOUT_RIGHTS'
  | 'MAP_NOT_FOUND'
  | 'TOKEN_NOT_FOUND'
  | 'INVITATION_NOT_FOUND'
  | 'MAP_DELETED';

/** The role that the token gives on the target; null if it looks like an unknown one. Tokens are only their owner's. */
export function roleOf({ about }: Rule, callerName: CallerName, targetName: TargetName): MapRole | null {
  const caller: Caller = CALLERS[callerName];
  if (!TARGETS[targetName].isOwners || caller.limitedTo === 'another map') return null;
  if (caller.is === 'owner') return 'owner';
  return about === 'token' ? null : (caller.role ?? null);
}

/** A link to a deleted map is no valid token. */
export function isLinkTo(callerName: CallerName, targetName: TargetName): boolean {
  const caller: Caller = CALLERS[callerName];
  return caller.by === 'link' && caller.limitedTo === 'this map' && TARGETS[targetName].isOwners;
}

export function expectedOf(
  { rule, link }: { readonly rule: Rule; readonly link: LinkRule },
  callerName: CallerName,
  targetName: TargetName,
  cookies: CookieUse,
): Outcome {
  const caller = seenCaller(CALLERS[callerName], cookies);
  const target: Target = TARGETS[targetName];
  const isPublic = target.isPublished && !target.isDeleted;

  if (caller.is === 'invalid') return 'INVALID_TOKEN';
  const isOwnLink = isLinkTo(callerName, targetName);
  if (isOwnLink && target.isDeleted) return 'INVALID_TOKEN';
  if (caller.is === 'without rights') return 'WITHOUT_RIGHTS';
  if (caller.isElsewhere && cookies === 'own pages') return 'CSRF';
  if (rule.shows === 'all') return isPublic || isOwnLink ? 'OK' : 'MAP_NOT_FOUND';
  const ofInvitation = targetName === 'unknown' || target.isDeleted ? 'INVITATION_NOT_FOUND' : 'OK';
  if (caller.is === 'nobody') {
    if (rule.about === 'invitation' && rule.needs === 'nothing') return ofInvitation;
    if (rule.shows === undefined) return 'UNAUTHENTICATED';
    return isPublic ? 'OK' : 'MAP_NOT_FOUND';
  }
  const mayWrite = caller.may === 'write';
  if (rule.needs === 'write' && !mayWrite) return 'FORBIDDEN';
  if (rule.needs === 'manage' && !(mayWrite && caller.limitedTo === undefined)) return 'FORBIDDEN';
  if (rule.needs === 'session' && caller.by !== 'session') return 'FORBIDDEN';
  if (rule.about === 'nothing') return 'OK';
  if (rule.about === 'invitation') return ofInvitation;
  const role = roleOf(rule, callerName, targetName);
  if (role === null) {
    return rule.shows === 'others' && isPublic ? 'OK' : (rule.ofUnknown ?? 'OK');
  }
  const needed = rule.role ?? (rule.needs === 'write' ? 'editor' : 'viewer');
  if (!includesRole(role, needed)) return 'FORBIDDEN';
  if (isOwnLink && link === 'never') return 'FORBIDDEN';
  return target.isDeleted ? (rule.ofDeleted ?? 'OK') : 'OK';
}

function seenCaller(caller: Caller, cookies: CookieUse): Caller {
  return caller.by === 'session' && cookies === 'ignored' ? { is: 'nobody' } : caller;
}
