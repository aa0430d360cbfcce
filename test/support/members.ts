import type { MapRole } from '../../src/domain/role.ts';
import { findOwnedMap, operatorFor } from '../../src/services/operator.ts';
import type { TestServer } from './server.ts';

/** Adds an owner to the members of a map, or gives it another role. */
export async function addMember(
  { gateway: { services, storage } }: TestServer,
  mapId: string,
  ownerName: string,
  role: MapRole,
): Promise<void> {
  const { owner } = await findOwnedMap(storage, mapId);
  await services.members.addMember({ caller: operatorFor(owner) }, mapId, ownerName, role);
}
