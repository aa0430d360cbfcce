/** The map that mirrors another service's. Its id is derived from the service's URL and the map's id there. */

import { derivedMapId } from '../../domain/ids.ts';
import type { FieldInput, MapRecord } from '../../domain/map.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { OwnerRecord, Storage } from '../../storage/storage.ts';
import type { UpstreamMap } from '../upstream.ts';
import { operatorFor } from '../../services/operator.ts';
import type { Services } from '../../services/services.ts';

/** Owner of mirrored maps by default. */
export const DEFAULT_OWNER = 'mirror';

export interface MirroredMap {
  readonly id: string;
  readonly name: string;
  readonly owner: OwnerRecord;
  /** Whether this run created it. */
  readonly isNew: boolean;
}

interface Store {
  readonly services: Pick<Services, 'maps' | 'tokens'>;
  readonly storage: Storage;
}

/**
 * Creates the map, or updates its name, fields and publication. API keys are not copied: mirrored locations have points, so
 * nothing is geocoded.
 *
 * @param owner null for the current owner
 * @throws ServiceError BAD_USER_INPUT if the map cannot be stored here, or belongs to another owner; MAP_DELETED
 */
export async function openMirroredMap(
  { services, storage }: Store,
  { address, mapId }: { readonly address: string; readonly mapId: string },
  shown: UpstreamMap,
  owner: string | null,
): Promise<MirroredMap> {
  const id = derivedMapId(`mirror ${address} ${mapId}`);
  const [existing = null] = await storage.getMaps([id]);
  if (existing !== null) return update({ services, storage }, existing, shown, owner);
  const { owner: created } = await services.tokens.findOrCreateOwner(owner ?? DEFAULT_OWNER);
  const { name } = await services.maps.createMap(
    { caller: operatorFor(created) },
    {
      id,
      name: shown.name,
      fields: shown.fields.length === 0 ? null : shown.fields,
      isPublished: shown.isPublished,
    },
  );
  return { id, name, owner: created, isNew: true };
}

async function update(
  { services, storage }: Store,
  map: MapRecord,
  shown: UpstreamMap,
  ownerName: string | null,
): Promise<MirroredMap> {
  const { id } = map;
  const owner = await storage.findOwner(map.ownerId);
  if (owner === null) throw new Error(`The map ${id} has no owner.`);
  if (ownerName !== null && ownerName !== owner.name) {
    throw badUserInput(`The map is already mirrored as ${id}, and belongs to another owner: ${owner.name}.`);
  }
  if (map.isDeleted) {
    throw new ServiceError(
      'MAP_DELETED',
      `The map is mirrored as ${id}, which is deleted; run \`map-locations map restore ${id}\` to restore it.`,
    );
  }
  const { name } = await services.maps.updateMap({ caller: operatorFor(owner) }, id, {
    name: shown.name,
    ...(shown.fields.length > 0 && { fields: withOwn(shown.fields, map.fields) }),
    ...(shown.isPublished !== null && { isPublished: shown.isPublished }),
  });
  return { id, name, owner, isNew: false };
}

/**
 * /v0 does not say which fields are public, nor which texts are opening hours. Fields that were hidden here stay hidden,
 * even if the upstream removes them: it may add them again, and their values may still exist.
 */
function withOwn(fields: UpstreamMap['fields'], existing: MapRecord['fields']): readonly FieldInput[] {
  const hidden = existing.filter(({ isPublic }) => isPublic === false);
  const names = new Set(hidden.map(({ name }) => name));
  const hours = new Set(existing.filter(({ type }) => type === 'openingHours').map(({ name }) => name));
  const given = new Set(fields.map(({ name }) => name));
  return [
    ...fields.map((field) => ({
      name: field.name,
      type: field.type === 'text' && hours.has(field.name) ? 'openingHours' : field.type,
      ...(names.has(field.name) && { isPublic: false }),
    })),
    ...hidden.filter(({ name }) => !given.has(name)).map(withoutRole),
  ];
}

/** The name field and the address field must be the upstream's. */
function withoutRole(field: FieldInput): FieldInput {
  return field.type === 'placeName' || field.type === 'address' ? { ...field, type: 'text' } : field;
}
