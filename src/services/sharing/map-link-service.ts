/** Links that open one map without an account: made, listed, replaced and revoked by owners of the map. */

import { isTokenId, newTokenId } from '../../domain/ids.ts';
import type { MapLinkScope } from '../../domain/map-link.ts';
import { MAX_MAP_LINKS } from '../../domain/map-link.ts';
import { shownName } from '../../domain/owner-name.ts';
import type { MapView } from '../../domain/public-view.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { MapLinkRecord, NewMapLink, OwnerRecord, Storage } from '../../storage/storage.ts';
import type { WriteAudit } from '../audit/audit.ts';
import { ok } from '../audit/audit.ts';
import { authorize, authorizeOn } from '../authorization.ts';
import { mapNotFound, mapUnavailableError } from '../caller.ts';
import type { Scope } from '../scope.ts';
import { hashOf, newSecret } from '../secrets/random-secrets.ts';
import { assertName } from '../tokens/token-service.ts';

const LINK_PREFIX = 'mll_';

/** The members of a link that owners of its map see. */
export interface ShownMapLink extends Pick<
  MapLinkRecord,
  'id' | 'name' | 'createdAt' | 'expiresAt' | 'lastUsedAt'
> {
  readonly scope: MapLinkScope;
  /** What people call the owner who made it. */
  readonly createdBy: string;
  /** The unique name of that owner. */
  readonly createdByOwner: string;
}

/** A link with its secret, which is never shown again. */
export interface MapLinkWithSecret {
  readonly mapLink: ShownMapLink;
  readonly secret: string;
}

export interface NewMapLinkInput {
  readonly mapId: string;
  readonly scope: MapLinkScope;
  readonly name: string;
  /** By default never. */
  readonly expiresAt?: Date | null;
}

export interface MapLinkServiceOptions {
  readonly storage: Storage;
  readonly audit: WriteAudit;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export class MapLinkService {
  readonly #options: MapLinkServiceOptions;

  constructor(options: MapLinkServiceOptions) {
    this.#options = options;
  }

  /** The open ones, in the order of creation. @throws ServiceError FORBIDDEN in the public view, and below owner */
  async listMapLinks(scope: Scope, map: MapView): Promise<readonly ShownMapLink[]> {
    const { storage, clock } = this.#options;
    const access = { role: 'owner', scope: 'read', evenIfDeleted: true } as const;
    authorizeOn(scope, map, access, 'links');
    return this.#show(scope, await storage.listMapLinks(map.id, clock(), scope));
  }

  /** @throws ServiceError FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED, BAD_USER_INPUT */
  createMapLink(scope: Scope, input: NewMapLinkInput): Promise<MapLinkWithSecret> {
    const { mapId, name, expiresAt = null } = input;
    const audited = {
      operation: 'createMapLink',
      subject: { mapId, ids: [] },
      done: ({ mapLink }: MapLinkWithSecret) => ok(mapId, [mapLink.id]),
    };
    return this.#options.audit.run(scope, audited, async () => {
      const { storage, clock } = this.#options;
      const { caller } = await authorize(storage, scope, mapId, { role: 'owner' });
      assertName(name, 'name');
      const now = clock();
      const end = expiresAt?.getTime() ?? null;
      if (end !== null && !(end > now)) throw badUserInput('expiresAt must be in the future.');
      const secret = newSecret(LINK_PREFIX);
      const link: NewMapLink = {
        ...{ id: newTokenId(), kind: 'link', ownerId: caller.ownerId, hash: hashOf(secret), name, mapId },
        scope: input.scope === 'edit' ? 'write' : 'read',
        ...{ createdAt: now, expiresAt: end, revokedAt: null, lastUsedAt: null },
      };
      const outcome = await storage.insertMapLink(link, scope);
      if (outcome.kind === 'too-many-links') {
        throw badUserInput(`The map has ${MAX_MAP_LINKS} links, the maximum; revoke one first.`, {
          reason: 'limitReached',
          max: MAX_MAP_LINKS,
        });
      }
      // The caller's role has changed since the authorization.
      if (outcome.kind === 'not-an-owner') throw mapNotFound();
      if (outcome.kind !== 'inserted') throw mapUnavailableError(outcome);
      return this.#withSecret(scope, { ...link, ownerName: caller.ownerName }, secret);
    });
  }

  /** Gives a link another secret. @throws ServiceError FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED, MAP_LINK_NOT_FOUND */
  replaceMapLink(scope: Scope, mapId: string, id: string): Promise<MapLinkWithSecret> {
    const audited = { operation: 'replaceMapLink', subject: { mapId, ids: [id] } };
    return this.#options.audit.run(scope, audited, async () => {
      const { storage, clock } = this.#options;
      await authorize(storage, scope, mapId, { role: 'owner' });
      const secret = newSecret(LINK_PREFIX);
      const replaced = isTokenId(id)
        ? await storage.replaceMapLink(mapId, id, hashOf(secret), clock(), scope)
        : null;
      if (replaced === null) throw mapLinkNotFound();
      return this.#withSecret(scope, replaced, secret);
    });
  }

  /** @throws ServiceError FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED, MAP_LINK_NOT_FOUND */
  revokeMapLink(scope: Scope, mapId: string, id: string): Promise<void> {
    const audited = { operation: 'revokeMapLink', subject: { mapId, ids: [id] } };
    return this.#options.audit.run(scope, audited, async () => {
      const { storage, clock } = this.#options;
      await authorize(storage, scope, mapId, { role: 'owner' });
      const isRevoked = isTokenId(id) && (await storage.revokeMapLink(mapId, id, clock(), scope));
      if (!isRevoked) throw mapLinkNotFound();
    });
  }

  async #show(scope: Scope, links: readonly MapLinkRecord[]): Promise<ShownMapLink[]> {
    const ownerIds = links.map(({ ownerId }) => ownerId);
    const owners = await this.#options.storage.findOwners(ownerIds, scope);
    return links.map((link, index) => shownOf(link, owners[index] ?? null));
  }

  async #withSecret(scope: Scope, link: MapLinkRecord, secret: string): Promise<MapLinkWithSecret> {
    const [owner = null] = await this.#options.storage.findOwners([link.ownerId], scope);
    return { mapLink: shownOf(link, owner), secret };
  }
}

function shownOf(
  { id, name, scope, createdAt, expiresAt, lastUsedAt, ownerName }: MapLinkRecord,
  owner: OwnerRecord | null,
): ShownMapLink {
  return {
    ...{ id, name, scope: scope === 'write' ? 'edit' : 'view', createdAt, expiresAt, lastUsedAt },
    ...{ createdBy: owner === null ? ownerName : shownName(owner), createdByOwner: ownerName },
  };
}

function mapLinkNotFound(): ServiceError {
  return new ServiceError('MAP_LINK_NOT_FOUND', 'The map has no such link, or it is expired or revoked.');
}
