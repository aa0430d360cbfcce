/** Refetching by global id (Relay's object identification). The id of a thing that is not the caller's gives null. */

import { parseNodeId } from '../domain/ids.ts';
import type { ErrorCode } from '../errors.ts';
import { ServiceError } from '../errors.ts';
import type { RequestContext } from './context.ts';
import type { NodeSource } from './sources.ts';

const ABSENT: readonly ErrorCode[] = ['MAP_NOT_FOUND', 'MAP_DELETED', 'LOCATION_NOT_FOUND'];

export async function findNode(id: string, { loaders }: RequestContext): Promise<NodeSource | null> {
  const node = parseNodeId(id);
  if (node === null) return null;
  try {
    const map = await loaders.maps.load(node.mapId);
    return node.kind === 'map' ? map : await loaders.locations.load({ map, id });
  } catch (error) {
    if (error instanceof ServiceError && ABSENT.includes(error.code)) return null;
    throw error;
  }
}
