/** Which store a command writes to: it may be another one than the server's. */

import type { Config } from '../app/config.ts';
import { nearestName } from '../domain/nearest-name.ts';
import type { StoreApplication } from '../app/composition/store.ts';
import { say } from './output.ts';

export interface LookedAtStore {
  /** What it is and where, without any secret. */
  readonly name: string;
  sayNewOwner(): void;
}

/** For commands that an operator may run before the first start of a server. */
export const MAKES_STORE = { makesStore: true };

/** An empty list may be another store's than the one that was meant. */
export async function sayNone(what: string, { databaseUrl }: Config): Promise<void> {
  const { describeStorage } = await import('../app/composition/whole-stores.ts');
  say(`There are no ${what} in ${await describeStorage(databaseUrl)}.`);
}

/** Before anything is written. Says so where the store is empty: a server would have made its demo there. */
export async function lookAtStore(
  storage: StoreApplication['storage'],
  config: Config,
  ownerName: string,
): Promise<LookedAtStore> {
  const { describeStorage } = await import('../app/composition/whole-stores.ts');
  const name = await describeStorage(config.databaseUrl);
  if (await storage.isEmpty()) {
    say(
      `The store was empty: ${name}. Only a server with the same DATABASE_URL, and in the same folder where that is a relative path, serves it.`,
    );
  }
  const others = (await storage.listOwners()).map((owner) => owner.name);
  return {
    name,
    sayNewOwner() {
      const near = nearestName(ownerName, others);
      say(`Made a new owner, ${ownerName}.${near === null ? '' : ` There is an owner ${near} too.`}`);
    },
  };
}
