/** Seals the stored API keys of maps again, while they are read and changed. */

import type { MapKeyChange, Storage } from '../storage/storage.ts';
import type { Secrets } from './secrets.ts';
import { isPlain, SecretKeyError } from './secrets.ts';

const BATCH = 500;
const NAMES = ['providerMapApiKey', 'geocodingApiKey'] as const;

export interface SealedAnew {
  /** How many keys were not as they should be, whether or not somebody else changed them meanwhile. */
  readonly found: number;
  /** How many are sealed anew. */
  readonly changed: number;
  /** Of maps with a key that cannot be decrypted; they are left as they are. */
  readonly unreadable: readonly string[];
}

/**
 * Seals keys with SECRET_KEY: those in the clear alone, or all that are not sealed with it. What somebody else changes
 * meanwhile is left as they stored it. Every key can be opened at any moment, so that it can be interrupted anywhere.
 */
export async function sealAnew(
  storage: Storage,
  secrets: Secrets,
  which: 'plain' | 'all',
): Promise<SealedAnew> {
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
      if (from === null || secrets.isCurrent(from) || (which === 'plain' && !isPlain(from))) continue;
      const to = sealedAnew(from, secrets);
      if (to === null) unreadable.add(map.id);
      else batch.push({ mapId: map.id, name, from, to });
    }
    if (batch.length >= BATCH) await write();
  }
  if (batch.length > 0) await write();
  return { found, changed, unreadable: [...unreadable] };
}

/** Null where it cannot be decrypted. */
function sealedAnew(stored: string, secrets: Secrets): string | null {
  try {
    return secrets.seal(secrets.open(stored));
  } catch (error) {
    if (error instanceof SecretKeyError) return null;
    throw error;
  }
}
