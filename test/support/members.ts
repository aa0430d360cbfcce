import type { MapRole } from '../../src/domain/role.ts';
import { findOwnedMap, operatorFor } from '../../src/services/operator.ts';
import { dataOf } from './graphql.ts';
import type { Ids } from './root-fields.ts';
import type { TestServer } from './server.ts';

/** Adds an owner to the members of a map, or gives it another role. @returns the member's id */
export async function addMember(
  { gateway: { services, storage } }: TestServer,
  mapId: string,
  ownerName: string,
  role: MapRole,
): Promise<string> {
  const { owner } = await findOwnedMap(storage, mapId);
  const caller = operatorFor(owner);
  return (await services.members.addMember({ caller }, mapId, ownerName, role)).owner.id;
}

export interface MadeInvitation {
  readonly id: string;
  readonly secret: string;
  readonly link: string;
}

/** An invitation for one viewer, unless `input` says otherwise. */
export async function makeInvitation(
  server: TestServer,
  mapId: string,
  token?: string,
  input: Record<string, unknown> = {},
): Promise<MadeInvitation> {
  const response = await server.graphql(
    `mutation ($input: CreateInvitationInput!) {
      createInvitation(input: $input) { invitation { id } secret link }
    }`,
    { input: { mapId, role: 'viewer', ...input } },
    token,
  );
  const { invitation, secret, link } = dataOf(response).createInvitation;
  return { id: invitation.id, secret, link };
}

export interface MadeMapLink {
  readonly id: string;
  readonly secret: string;
  readonly consoleLink: string;
  readonly pageLink: string | null;
}

/** A link to view the map, unless `input` says otherwise. */
export async function makeMapLink(
  server: TestServer,
  mapId: string,
  token?: string,
  input: Record<string, unknown> = {},
): Promise<MadeMapLink> {
  const response = await server.graphql(
    `mutation ($input: CreateMapLinkInput!) {
      createMapLink(input: $input) { mapLink { id } secret consoleLink pageLink }
    }`,
    { input: { mapId, scope: 'view', name: 'A link', ...input } },
    token,
  );
  const { mapLink, ...shown } = dataOf(response).createMapLink;
  return { id: mapLink.id, ...shown };
}

/** A second owner of a map, an invitation and a link to it. */
export async function shareMap(
  server: TestServer,
  mapId: string,
  token?: string,
): Promise<Pick<Ids, 'memberId' | 'invitationId' | 'secret' | 'linkId'>> {
  const memberId = await addMember(server, mapId, `a second owner of ${mapId}`, 'owner');
  const { id: invitationId, secret } = await makeInvitation(server, mapId, token);
  const { id: linkId } = await makeMapLink(server, mapId, token);
  return { memberId, invitationId, secret, linkId };
}

/** @throws ServiceError MEMBER_NOT_FOUND */
export async function removeMember(
  { gateway: { services, storage } }: TestServer,
  mapId: string,
  ownerName: string,
): Promise<void> {
  const { map, owner } = await findOwnedMap(storage, mapId);
  const owners = await storage.findOwners(map.members.map(({ ownerId }) => ownerId));
  const id = owners.find((one) => one?.name === ownerName)?.id ?? '';
  await services.members.removeMember({ caller: operatorFor(owner) }, mapId, id);
}
