/** Examines a store: the findings of its adapter, unfinished copies and restores, and keys that cannot be decrypted. */

import type { Examination, Finding, Unlooked } from '../../storage/examination.ts';
import { DamagedStoreError, RESTORE_LAST, Wrongs } from '../../storage/examination.ts';
import { opened, SECRET_KEY_CHECK } from '../secrets/secret-key-marks.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { SecretKeyError } from '../secrets/secrets.ts';
import { COPY_MARK, isUnfinished, RESTORE_MARK } from './store-marks.ts';

export type { Finding };

export async function* examineStore(
  store: Examination,
  secrets: Secrets,
): AsyncGenerator<Finding | Unlooked> {
  let isDamaged = false;
  for (const find of [findUnfinished, () => store.findings(), findSealedKeys]) {
    try {
      for await (const found of find(store, secrets)) {
        yield found;
        // Findings of a half-filled store mean nothing.
        if (found.check === 'complete') return;
        if (found.check === 'integrity') isDamaged = true;
      }
    } catch (error) {
      if (!(error instanceof DamagedStoreError)) throw error;
      if (!isDamaged) yield error.finding;
      isDamaged = true;
    }
  }
}

async function* findUnfinished(store: Examination): AsyncGenerator<Finding> {
  if (isUnfinished(await store.getMeta(RESTORE_MARK), 'completedAt')) {
    yield {
      check: 'complete',
      message: 'The store is being restored from a backup, or a restore was interrupted.',
      remedy: 'If no restore is running, run map-locations restore again.',
    };
  } else if (isUnfinished(await store.getMeta(COPY_MARK), 'digest')) {
    yield {
      check: 'complete',
      message: 'The store is an unfinished copy of another one.',
      remedy: 'Run map-locations copy again to complete it.',
    };
  }
}

async function* findSealedKeys(store: Examination, secrets: Secrets): AsyncGenerator<Finding> {
  const marks = await store.getMeta(SECRET_KEY_CHECK);
  const count = marks === null ? 'all' : opened(secrets, marks);
  if (count === 'none') {
    yield {
      check: 'keys',
      message: secrets.hasKey
        ? 'SECRET_KEY is not the one that the API keys are encrypted with.'
        : 'The API keys are encrypted with a SECRET_KEY, and none is set.',
      remedy: 'Set SECRET_KEY to the one that the servers of this store use.',
    };
    return;
  }
  if (count === 'some') {
    yield {
      check: 'keys',
      message: 'Some API keys may be encrypted with a key other than SECRET_KEY and SECRET_KEY_FALLBACK.',
      remedy: 'Set SECRET_KEY_FALLBACK to the former SECRET_KEY, and run map-locations secrets rotate.',
    };
  }
  const canOpen = (stored: readonly (string | null)[]) =>
    stored.every((each) => each === null || isReadable(each, secrets));
  const maps = new Wrongs();
  for await (const { id, providerMapApiKey, geocodingApiKey } of store.listMapsWithKeys()) {
    if (!canOpen([providerMapApiKey, geocodingApiKey])) maps.add(id);
  }
  yield* reportUnreadable('API keys', maps.describe('map'), 'map-locations map update');
  const webhooks = new Wrongs();
  for await (const { id, secrets: stored } of store.listWebhookSecrets()) {
    if (!canOpen(stored)) webhooks.add(id);
  }
  yield* reportUnreadable('secrets', webhooks.describe('webhook'), 'rotateWebhookSecret');
}

function* reportUnreadable(what: string, some: string | null, command: string): Generator<Finding> {
  if (some === null) return;
  yield {
    check: 'keys',
    message: `The ${what} of ${some} cannot be decrypted.`,
    remedy: `If they are encrypted with another key, set SECRET_KEY_FALLBACK to it and run map-locations secrets rotate. Otherwise set them again (${command}). ${RESTORE_LAST}`,
  };
}

function isReadable(stored: string, secrets: Secrets): boolean {
  try {
    return secrets.open(stored) !== '';
  } catch (error) {
    if (error instanceof SecretKeyError) return false;
    throw error;
  }
}
