/** The owners of accounts, and their names. */

import { newOwnerId } from '../../domain/ids.ts';
import { countCodePoints, hasControlCharacter, isBlank } from '../../domain/text.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { OwnerRecord, Storage } from '../../storage/storage.ts';
import type { DemoMapService } from '../maps/demo-map.ts';
import { assertName, MAX_NAME_LENGTH } from '../tokens/token-service.ts';

/** Whether an owner may have the name. */
export function isName(name: string): boolean {
  return (
    name.isWellFormed() &&
    !hasControlCharacter(name) &&
    countCodePoints(name) <= MAX_NAME_LENGTH &&
    !isBlank(name)
  );
}

/** Names of owners that a provider or a JWT names: `issuer#sub`. */
const OF_AN_ISSUER = /^https?:\/\/.*#/i;

/** @throws ServiceError BAD_USER_INPUT for a name that a person may not choose */
export function assertAccountName(name: string): void {
  assertName(name, 'name');
  if (name.trim() !== name) throw badUserInput('name must not begin or end with a space.');
  if (OF_AN_ISSUER.test(name)) {
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

/**
 * An owner for a new account. The first account gets the owner of the demo map, with its tokens, under its own name.
 *
 * @throws ServiceError NAME_TAKEN
 */
export async function newAccountOwner(
  { storage, demoMap, clock }: OwnerSources,
  name: string,
): Promise<OwnerRecord> {
  const isFirst = (await storage.listAccounts()).length === 0;
  const demoOwner = isFirst ? await demoMap.findOwner() : null;
  if (demoOwner !== null) {
    if (!(await storage.renameOwner(demoOwner.id, name))) throw nameTaken();
    return { ...demoOwner, name };
  }
  const { owner, created } = await storage.findOrCreateOwner({ id: newOwnerId(), name, createdAt: clock() });
  if (!created) throw nameTaken();
  return owner;
}
