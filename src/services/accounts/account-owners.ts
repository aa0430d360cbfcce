/** The owners of accounts, and their names. */

import { newOwnerId } from '../../domain/ids.ts';
import { issuerOf } from '../../domain/owner-name.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { OwnerRecord, Storage } from '../../storage/storage.ts';
import type { DemoMapService } from '../maps/demo-map.ts';
import { assertName } from '../tokens/token-service.ts';

/** @throws ServiceError BAD_USER_INPUT for a name that a person may not choose */
export function assertAccountName(name: string): void {
  assertName(name, 'name');
  if (name.trim() !== name) throw badUserInput('name must not begin or end with a space.');
  if (issuerOf(name) !== null) {
    throw badUserInput(
      'name must not be an address with a #, which names accounts of an OpenID Connect provider.',
    );
  }
}

export function nameTaken(): ServiceError {
  return new ServiceError('NAME_TAKEN', 'name is taken; choose another one.');
}

interface OwnerSources {
  readonly storage: Storage;
  readonly demoMap: DemoMapService;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Whether the store has any account: the first one is special. */
export async function hasAccounts(storage: Pick<Storage, 'listAccounts'>): Promise<boolean> {
  return (await storage.listAccounts()).length > 0;
}

/**
 * An owner for a new account. The first account gets the owner of the demo map, with its tokens, under its own name.
 *
 * @throws ServiceError NAME_TAKEN
 */
export async function newAccountOwner(
  { storage, demoMap, clock }: OwnerSources,
  name: string,
): Promise<OwnerRecord> {
  const demoOwner = (await hasAccounts(storage)) ? null : await demoMap.findOwner();
  if (demoOwner !== null) {
    if (!(await storage.renameOwner(demoOwner.id, name))) throw nameTaken();
    return { ...demoOwner, name };
  }
  const { owner, created } = await storage.findOrCreateOwner({ id: newOwnerId(), name, createdAt: clock() });
  if (!created) throw nameTaken();
  return owner;
}
