/** A request about one map, whose caller may make it. */

import type { Storage } from '../../storage/storage.ts';
import type { Authorization } from '../authorization.ts';
import { authorize } from '../authorization.ts';
import type { Scope } from '../scope.ts';

export interface AuthorizedRequest extends Authorization {
  readonly scope: Scope;
  /** To be called before a write that follows geocoding. @throws ServiceError if another request may run the call now */
  readonly assertHeld?: () => void;
}

/** @throws ServiceError UNAUTHENTICATED, FORBIDDEN, MAP_NOT_FOUND, MAP_DELETED */
export async function authorizeEditor(
  storage: Storage,
  scope: Scope,
  mapId: string,
): Promise<AuthorizedRequest> {
  return { ...(await authorize(storage, scope, mapId, { role: 'editor' })), scope };
}
