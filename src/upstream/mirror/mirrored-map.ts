/** The map that stands for another service's: it is found again by an id that is made of the address and the id there. */

import { derivedMapId } from '../../domain/ids.ts';
import type { FieldInput, MapRecord } from '../../domain/map.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { OwnerRecord, Storage } from '../../storage/storage.ts';
import type { UpstreamMap } from '../upstream.ts';
import { operatorFor } from '../../services/operator.ts';
import type { Services } from '../../services/services.ts';

/** Whose a mirrored map is where nobody says. */
export const DEFAULT_OWNER = 'mirror';

export interface MirroredMap {
  readonly id: string;
  readonly name: string;
  readonly owner: OwnerRecord;
  /** Whether it was made now. */
  readonly isNew: boolean;
}

interface Store {
  readonly services: Pick<Services, 'maps' | 'tokens'>;
  readonly storage: Storage;
}

/**
 * Makes the map, or brings it up to date: its name, its fields and whether it is published. API keys are not taken over:
 * with given points none is needed.
 *
 * @param owner null for whose it was
 * @throws ServiceError BAD_USER_INPUT for a map that cannot be kept here or is another owner's; MAP_DELETED
 */
export async function openMirroredMap(
  { services, storage }: Store,
  { address, mapId }: { readonly address: string; readonly mapId: string },
  shown: UpstreamMap,
  owner: string | null,
): Promise<MirroredMap> {
  const id = derivedMapId(`mirror ${address} ${mapId}`);
  const [there = null] = await storage.getMaps([id]);
  if (there !== null) return update({ services, storage }, there, shown, owner);
  const { owner: made } = await services.tokens.findOrCreateOwner(owner ?? DEFAULT_OWNER);
  const { name } = await services.maps.createMap(
    { caller: operatorFor(made) },
    {
      id,
      name: shown.name,
      fields: shown.fields.length === 0 ? null : shown.fields,
      isPublished: shown.isPublished,
    },
  );
  return { id, name, owner: made, isNew: true };
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
    throw badUserInput(`The map is mirrored already, as ${id}, and belongs to another owner: ${owner.name}.`);
  }
  if (map.isDeleted) {
    throw new ServiceError(
      'MAP_DELETED',
      `The map is mirrored as ${id}, which is deleted; \`map-locations map restore ${id}\` brings it back.`,
    );
  }
  const { name } = await services.maps.updateMap({ caller: operatorFor(owner) }, id, {
    name: shown.name,
    ...(shown.fields.length > 0 && { fields: withHidden(shown.fields, map.fields) }),
    ...(shown.isPublished !== null && { isPublished: shown.isPublished }),
  });
  return { id, name, owner, isNew: false };
}

/**
 * /v0 does not say which fields the public sees. What was hidden here stays hidden: also where the upstream drops the
 * field, since it may give it again, and its values may still be there.
 */
function withHidden(fields: UpstreamMap['fields'], there: MapRecord['fields']): readonly FieldInput[] {
  const hidden = there.filter(({ isPublic }) => isPublic === false);
  const names = new Set(hidden.map(({ name }) => name));
  const given = new Set(fields.map(({ name }) => name));
  return [
    ...fields.map((field) => (names.has(field.name) ? { ...field, isPublic: false } : field)),
    ...hidden.filter(({ name }) => !given.has(name)).map(withoutRole),
  ];
}

/** The name and the address are read from fields of the upstream alone. */
function withoutRole(field: FieldInput): FieldInput {
  return field.type === 'placeName' || field.type === 'address' ? { ...field, type: 'text' } : field;
}
