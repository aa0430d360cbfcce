/** Seals the stored API keys of maps again, while they are read and changed. */

import type { MapKeyChange, Storage } from '../../storage/storage.ts';
import type { SecretsToSeal } from './reseal.ts';
import { reseal } from './reseal.ts';
import type { Secrets } from './secrets.ts';

const BATCH = 500;
const NAMES = ['providerMapApiKey', 'geocodingApiKey'] as const;

export interface Sealed {
  /** How many were not as they should be, whether or not somebody else changed them meanwhile. */
  readonly found: number;
  /** How many are sealed anew. */
  readonly changed: number;
  /** Ids of whose cannot be decrypted; they are left as they are. */
  readonly unreadable: readonly string[];
}

/** What somebody else changes meanwhile is left as they stored it. */
export async function sealKeys(storage: Storage, secrets: Secrets, which: SecretsToSeal): Promise<Sealed> {
  const unreadable = new Set<string>();
  let found = 0;
  let changed = 0;
  let batch: MapKeyChange[] = [];
  const write = async () => {
    found += batch.length;
    changed += await storage.changeMapKeys(batch);
    batch = [];
  };
  for await (const map of storage.listMapsWithKeys()) {
    for (const name of NAMES) {
      const from = map[name];
      const resealed = reseal(from, secrets, which);
      if (resealed.kind === 'unreadable') unreadable.add(map.id);
      if (resealed.kind === 'sealed' && from !== null) {
        batch.push({ mapId: map.id, name, from, to: resealed.stored });
      }
    }
    if (batch.length >= BATCH) await write();
  }
  if (batch.length > 0) await write();
  return { found, changed, unreadable: [...unreadable] };
}
