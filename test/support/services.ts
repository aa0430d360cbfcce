/** Services over a store, without a server. */

import type { Caller } from '../../src/services/caller.ts';
import { IMPORT_BATCH_SIZE } from '../../src/transfer/import/batches.ts';
import { operatorFor } from '../../src/services/operator.ts';
import { createSecrets } from '../../src/services/secrets/secrets.ts';
import type { Services } from '../../src/services/services.ts';
import { createServices } from '../../src/services/services.ts';
import { ConcurrencyLimit } from '../../src/services/webhooks/concurrency-limit.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createFakeGeocoder } from './fake-geocoder.ts';

const LIMITS = {
  fields: { maxKeys: 200, maxBytes: 65_536, maxDepth: 8 },
  mapFields: 100,
  bulk: IMPORT_BATCH_SIZE,
};

/** Sends no messages. */
const WEBHOOKS = {
  send: () => Promise.reject(new Error('No messages are sent in this test.')),
  concurrency: new ConcurrencyLimit(2),
  urlRules: { allowsHttp: false, allowsPrivate: false },
  maxOfMap: 10,
  timeoutMs: 1_000,
  onChange: () => {},
};

export function servicesOver(storage: Storage, geocoder = createFakeGeocoder()): Services {
  const secrets = createSecrets(null);
  return createServices({ storage, geocoder, secrets, limits: LIMITS, webhooks: WEBHOOKS });
}

export async function testerOf({ tokens }: Services): Promise<Caller> {
  return operatorFor((await tokens.findOrCreateOwner('tester')).owner);
}
