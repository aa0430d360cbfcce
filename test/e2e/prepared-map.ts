/** Creates an owner's token and map through the services, in the file that a server then serves. */

import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { readConfig } from '../../src/app/config.ts';
import type { StoreApplication } from '../../src/app/composition/store.ts';
import { openStoreApplication } from '../../src/app/composition/store.ts';
import type { Settings } from '../support/program.ts';

export interface PreparedMap {
  readonly token: string;
  readonly mapId: string;
}

/** Runs `work` with the services on the store of that folder. */
export async function inStore<T>(
  cwd: string,
  work: (gateway: StoreApplication) => Promise<T>,
  settings: Settings = {},
): Promise<T> {
  const gateway = await openStoreApplication(
    readConfig({ DATABASE_URL: `sqlite:${join(cwd, 'store.db')}`, ...settings }),
  );
  try {
    return await work(gateway);
  } finally {
    await gateway.close();
  }
}

export const ALICE = { owner: 'alice', scope: 'write', mapId: null, expiresAt: null } as const;

export function prepareMap(
  cwd: string,
  settings: Settings = {},
  owner: string = ALICE.owner,
): Promise<PreparedMap> {
  return inStore(
    cwd,
    async ({ services }) => {
      const { token } = await services.tokens.createToken({ ...ALICE, owner });
      const map = await services.maps.createMap(
        { caller: await services.tokens.authenticate(token) },
        { name: 'Cafés' },
      );
      return { token, mapId: map.id };
    },
    settings,
  );
}

/** Takes the store's write lock, so that writes wait. @returns a function that releases it */
export function lockStore(cwd: string): () => void {
  const database = new DatabaseSync(join(cwd, 'store.db'));
  database.exec('PRAGMA busy_timeout = 5000');
  database.exec('BEGIN IMMEDIATE');
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}

/** A body of POST /v0/map/{mapId}/location. */
export function locationBody(name: string, more: Record<string, unknown> = {}): string {
  return JSON.stringify({ fields: { Name: name, Address: 'Rua Garrett 122, Lisboa, Portugal', ...more } });
}
