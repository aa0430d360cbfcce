/** One operation for each root field, valid apart from the caller and the ids; a test checks that none is missing. */

import { PASSWORD } from './sign-in.ts';

export const UNKNOWN_MAP = '0123456789abcdef';
export const UNKNOWN_TOKEN = 'token_0123456789abcdef';
const UNKNOWN_WEBHOOK = 'webhook_0123456789abcdef';
export const UNKNOWN_LOCATION = `${UNKNOWN_MAP}_0123456789ab`;

/** What does not exist. */
export const UNKNOWN: Ids = {
  mapId: UNKNOWN_MAP,
  locationId: UNKNOWN_LOCATION,
  tokenId: UNKNOWN_TOKEN,
  webhookId: UNKNOWN_WEBHOOK,
  historyId: 'history_0123456789abcdefghjkmn',
  memberId: 'owner_0123456789abcdef',
  invitationId: 'invitation_0123456789abcdef',
  secret: `mli_${'A'.repeat(43)}`,
  linkId: 'token_abcdefghjkmnpqrs',
};

export const QUERIES: Readonly<Record<string, (ids: Ids) => string>> = {
  viewer: () => '{ viewer { owner } }',
  map: ({ mapId }) => `{ map(id: "${mapId}") { id } }`,
  location: ({ mapId, locationId }) => `{ location(mapId: "${mapId}", id: "${locationId}") { id } }`,
  geocode: ({ mapId }) => `{ geocode(mapId: "${mapId}", address: "A") { placeId } }`,
  reverseGeocode: ({ mapId }) => `{ reverseGeocode(mapId: "${mapId}", latitude: 1, longitude: 2) { label } }`,
  suggestAddresses: ({ mapId }) => `{ suggestAddresses(mapId: "${mapId}", text: "Abc") { label } }`,
  node: ({ mapId }) => `{ node(id: "${mapId}") { id } }`,
  nodes: ({ mapId, locationId }) => `{ nodes(ids: ["${mapId}", "${locationId}"]) { id } }`,
};

/** The queries that need no token. */
export const PUBLIC_QUERIES: Readonly<Record<string, (ids: Ids) => string>> = {
  publicMap: ({ mapId }) => `{ publicMap(id: "${mapId}") { id } }`,
  invitation: ({ secret }) => `{ invitation(secret: "${secret}") { role } }`,
};

export const MUTATIONS: Readonly<Record<string, (ids: Ids) => string>> = {
  createMap: () => 'mutation { createMap(input: { name: "New" }) { map { id } } }',
  updateMap: ({ mapId }) => `mutation { updateMap(input: { id: "${mapId}", name: "X" }) { map { id } } }`,
  deleteMap: ({ mapId }) => `mutation { deleteMap(input: { id: "${mapId}" }) { map { id } } }`,
  restoreMap: ({ mapId }) => `mutation { restoreMap(input: { id: "${mapId}" }) { map { id } } }`,
  createLocation: ({ mapId }) =>
    `mutation { createLocation(input: { mapId: "${mapId}", fields: { Name: "N", Address: "A" } }) { map { id } } }`,
  createLocations: ({ mapId }) =>
    `mutation { createLocations(input: { mapId: "${mapId}", locations: [{ fields: { Name: "N", Address: "A" } }] }) { map { id } } }`,
  updateLocation: ({ mapId, locationId }) =>
    `mutation { updateLocation(input: { mapId: "${mapId}", id: "${locationId}", fields: { Name: "M" } }) { map { id } } }`,
  upsertLocations: ({ mapId }) =>
    `mutation { upsertLocations(input: { mapId: "${mapId}", locations: [{ externalId: "e", fields: { Name: "N", Address: "A" } }] }) { map { id } } }`,
  moveLocations: ({ mapId, locationId }) =>
    `mutation { moveLocations(input: { mapId: "${mapId}", ids: ["${locationId}"], toEnd: true }) { map { id } } }`,
  geocodeLocations: ({ mapId, locationId }) =>
    `mutation { geocodeLocations(input: { mapId: "${mapId}", ids: ["${locationId}"] }) { map { id } } }`,
  checkLocations: ({ mapId, locationId }) =>
    `mutation { checkLocations(input: { mapId: "${mapId}", ids: ["${locationId}"], isChecked: true }) { map { id } } }`,
  deleteLocations: ({ mapId, locationId }) =>
    `mutation { deleteLocations(input: { mapId: "${mapId}", ids: ["${locationId}"] }) { deletedIds } }`,
  restoreLocations: ({ mapId, locationId }) =>
    `mutation { restoreLocations(input: { mapId: "${mapId}", ids: ["${locationId}"] }) { map { id } } }`,
  purgeLocations: ({ mapId, locationId }) =>
    `mutation { purgeLocations(input: { mapId: "${mapId}", ids: ["${locationId}"] }) { purgedIds } }`,
  restoreVersion: ({ mapId, locationId }) =>
    `mutation { restoreVersion(input: { mapId: "${mapId}", id: "${locationId}", version: 1 }) { map { id } } }`,
  undoChange: ({ mapId, historyId }) =>
    `mutation { undoChange(input: { mapId: "${mapId}", historyId: "${historyId}", dryRun: true }) { map { id } } }`,
  createToken: () => 'mutation { createToken(input: { scope: read }) { token { id } } }',
  revokeToken: ({ tokenId }) => `mutation { revokeToken(input: { id: "${tokenId}" }) { revokedId } }`,
  createInvitation: ({ mapId }) =>
    `mutation { createInvitation(input: { mapId: "${mapId}", role: editor }) { invitation { id } } }`,
  revokeInvitation: ({ mapId, invitationId }) =>
    `mutation { revokeInvitation(input: { mapId: "${mapId}", id: "${invitationId}" }) { revokedId } }`,
  acceptInvitation: ({ secret }) => `mutation { acceptInvitation(input: { secret: "${secret}" }) { role } }`,
  createMapLink: ({ mapId }) =>
    `mutation { createMapLink(input: { mapId: "${mapId}", scope: edit, name: "A link" }) { mapLink { id } } }`,
  replaceMapLink: ({ mapId, linkId }) =>
    `mutation { replaceMapLink(input: { mapId: "${mapId}", id: "${linkId}" }) { mapLink { id } } }`,
  revokeMapLink: ({ mapId, linkId }) =>
    `mutation { revokeMapLink(input: { mapId: "${mapId}", id: "${linkId}" }) { revokedId } }`,
  updateMember: ({ mapId, memberId }) =>
    `mutation { updateMember(input: { mapId: "${mapId}", id: "${memberId}", role: viewer }) { map { id } } }`,
  removeMember: ({ mapId, memberId }) =>
    `mutation { removeMember(input: { mapId: "${mapId}", id: "${memberId}" }) { removedId } }`,
  leaveMap: ({ mapId }) => `mutation { leaveMap(input: { mapId: "${mapId}" }) { mapId } }`,
  createWebhook: ({ mapId }) =>
    `mutation { createWebhook(input: { mapId: "${mapId}", url: "https://example.org/", events: [created] }) { webhook { id } } }`,
  updateWebhook: ({ mapId, webhookId }) =>
    `mutation { updateWebhook(input: { mapId: "${mapId}", id: "${webhookId}", events: [deleted] }) { webhook { id } } }`,
  rotateWebhookSecret: ({ mapId, webhookId }) =>
    `mutation { rotateWebhookSecret(input: { mapId: "${mapId}", id: "${webhookId}" }) { webhook { id } } }`,
  testWebhook: ({ mapId, webhookId }) =>
    `mutation { testWebhook(input: { mapId: "${mapId}", id: "${webhookId}" }) { delivered } }`,
  deleteWebhook: ({ mapId, webhookId }) =>
    `mutation { deleteWebhook(input: { mapId: "${mapId}", id: "${webhookId}" }) { deletedId } }`,
  deleteLocation: ({ mapId, locationId }) =>
    `mutation { deleteLocation(input: { mapId: "${mapId}", id: "${locationId}" }) { deletedId } }`,
};

/** The mutations that need a session, of an account with {@link PASSWORD}. */
export const SESSION_MUTATIONS: Readonly<Record<string, (ids: Ids) => string>> = {
  endSessions: () => 'mutation { endSessions(input: { ids: ["session_0123456789abcdef"] }) { endedIds } }',
  changePassword: () =>
    `mutation { changePassword(input: { currentPassword: "${PASSWORD}", newPassword: "${PASSWORD}" }) { endedIds } }`,
};

export const SUBSCRIPTIONS: Readonly<Record<string, (ids: Ids) => string>> = {
  locationChanges: ({ mapId }) => `subscription { locationChanges(mapId: "${mapId}") { kind } }`,
};

export interface Ids {
  readonly mapId: string;
  readonly locationId: string;
  readonly tokenId: string;
  readonly webhookId: string;
  readonly memberId: string;
  readonly invitationId: string;
  /** Of the invitation. */
  readonly secret: string;
  readonly historyId: string;
  readonly linkId: string;
}
