/**
 * Seals stored secrets with the current SECRET_KEY: API keys of maps and secrets of webhooks, while the store is read and
 * written. Every secret can be opened at any moment, so the work may be interrupted anywhere.
 */

import type { MapKeyChange, Storage } from '../../storage/storage.ts';
import type { WebhookPatch, WebhookRecord } from '../../storage/webhooks.ts';
import { allWebhooks } from '../webhooks/all-webhooks.ts';
import { assertMarked, markRotated } from './secret-key-marks.ts';
import type { Secrets } from './secrets.ts';
import { isPlain, SecretKeyError } from './secrets.ts';

export interface Rotation {
  /** API keys of maps and secrets of webhooks that were sealed again. */
  readonly changed: number;
  /** Ids of maps with a key that neither SECRET_KEY nor SECRET_KEY_FALLBACK opens. */
  readonly unreadable: readonly string[];
  /** Ids of webhooks with such a secret. */
  readonly unreadableWebhooks: readonly string[];
}

/**
 * Runs at every start, before anything is served. Refuses settings that cannot open the store's secrets, and seals
 * secrets that are stored in the clear.
 *
 * @throws SecretKeyError naming SECRET_KEY
 */
export async function prepareSecrets(storage: Storage, secrets: Secrets): Promise<void> {
  // Earlier runs may have been interrupted, and processes without SECRET_KEY may have stored more keys.
  if (await assertMarked(storage, secrets)) await sealAll(storage, secrets, 'plain');
}

/**
 * Seals everything that SECRET_KEY_FALLBACK has sealed. Repeats until a round finds nothing, since servers write
 * meanwhile. A process that still seals with the former key after that leaves secrets which only that key opens.
 *
 * If some secrets are unreadable, the store keeps requiring both keys.
 */
export async function rotateSecrets(storage: Storage, secrets: Secrets): Promise<Rotation> {
  let changed = 0;
  for (;;) {
    const { keys, webhooks } = await sealAll(storage, secrets, 'all');
    changed += keys.changed + webhooks.changed;
    if (keys.found + webhooks.found > 0) continue;
    if (keys.unreadable.length + webhooks.unreadable.length === 0) await markRotated(storage, secrets);
    return { changed, unreadable: keys.unreadable, unreadableWebhooks: webhooks.unreadable };
  }
}

/** Secrets in the clear, or all that are not sealed with SECRET_KEY. */
type Selection = 'plain' | 'all';

interface Sealed {
  /** Secrets to seal, including those that were changed concurrently. */
  readonly found: number;
  readonly changed: number;
  /** Ids of the owners of secrets that cannot be decrypted. These are left unchanged. */
  readonly unreadable: readonly string[];
}

async function sealAll(storage: Storage, secrets: Secrets, which: Selection) {
  const keys = await sealMapKeys(storage, secrets, which);
  return { keys, webhooks: await sealWebhooks(storage, secrets, which) };
}

const BATCH = 500;
const KEY_NAMES = ['providerMapApiKey', 'geocodingApiKey'] as const;

/** Keys that are changed concurrently keep the other writer's value. */
async function sealMapKeys(storage: Storage, secrets: Secrets, which: Selection): Promise<Sealed> {
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
    for (const name of KEY_NAMES) {
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

/** Retries webhooks that are changed concurrently: every delivery is a change, too. */
async function sealWebhooks(storage: Storage, secrets: Secrets, which: Selection): Promise<Sealed> {
  const unreadable = new Set<string>();
  let found = 0;
  let changed = 0;
  for await (const webhook of allWebhooks(storage)) {
    for (let current: WebhookRecord | null = webhook; current !== null;) {
      const { mapId, id, version, secret, formerSecret }: WebhookRecord = current;
      const main = reseal(secret, secrets, which);
      const former = reseal(formerSecret?.secret ?? null, secrets, which);
      if (main.kind === 'unreadable' || former.kind === 'unreadable') unreadable.add(id);
      const patch: WebhookPatch = {
        ...(main.kind === 'sealed' && { secret: main.stored }),
        ...(former.kind === 'sealed' &&
          formerSecret !== null && { formerSecret: { ...formerSecret, secret: former.stored } }),
      };
      const count = Object.keys(patch).length;
      if (count === 0) break;
      const outcome = await storage.updateWebhook(mapId, id, patch, version);
      found += count;
      if (outcome.kind === 'updated') changed += count;
      current = outcome.kind === 'changed' ? outcome.webhook : null;
    }
  }
  return { found, changed, unreadable: [...unreadable] };
}

type Resealed =
  | { readonly kind: 'kept' }
  | { readonly kind: 'sealed'; readonly stored: string }
  | { readonly kind: 'unreadable' };

function reseal(stored: string | null, secrets: Secrets, which: Selection): Resealed {
  if (stored === null || secrets.isCurrent(stored)) return { kind: 'kept' };
  if (which === 'plain' && !isPlain(stored)) return { kind: 'kept' };
  try {
    return { kind: 'sealed', stored: secrets.seal(secrets.open(stored)) };
  } catch (error) {
    if (error instanceof SecretKeyError) return { kind: 'unreadable' };
    throw error;
  }
}
