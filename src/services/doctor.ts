/** Looks through a store: what its adapter finds, whether it is whole, and whether its keys can be decrypted. */

import type { Examination, Finding, Unlooked } from '../storage/examination.ts';
import { RESTORE_LAST, Wrongs } from '../storage/examination.ts';
import { createSecrets, opensWith, SECRET_KEY_CHECK } from './secrets.ts';
import { COPY_MARK, isUnfinished, RESTORE_MARK } from './store-marks.ts';

export type { Finding };

export async function* examineStore(
  store: Examination,
  secretKey: string | null,
): AsyncGenerator<Finding | Unlooked> {
  const unfinished = await findUnfinished(store);
  if (unfinished !== null) {
    // What else would be found of half a store says nothing.
    yield unfinished;
    return;
  }
  yield* store.findings();
  yield* findSealedKeys(store, secretKey);
}

async function findUnfinished(store: Examination): Promise<Finding | null> {
  if (isUnfinished(await store.getMeta(RESTORE_MARK), 'completedAt')) {
    return {
      check: 'complete',
      message: 'The store is being restored from a backup, or that was interrupted.',
      remedy: 'Where no restore is under way any more, run map-locations restore again.',
    };
  }
  if (!isUnfinished(await store.getMeta(COPY_MARK), 'digest')) return null;
  return {
    check: 'complete',
    message: 'The store is an unfinished copy of another.',
    remedy: 'Run map-locations copy again to complete it.',
  };
}

async function* findSealedKeys(store: Examination, secretKey: string | null): AsyncGenerator<Finding> {
  const check = await store.getMeta(SECRET_KEY_CHECK);
  if (check !== null && !opensWith(secretKey, check)) {
    yield {
      check: 'keys',
      message:
        secretKey === null
          ? 'The API keys are encrypted with a SECRET_KEY, and none is set.'
          : 'SECRET_KEY is not the one that the API keys are encrypted with.',
      remedy: 'Set SECRET_KEY to the one that the servers of this store have.',
    };
    return;
  }
  const secrets = createSecrets(secretKey);
  const wrongs = new Wrongs();
  for await (const { id, providerMapApiKey, geocodingApiKey } of store.listMapsWithKeys()) {
    const canOpen = [providerMapApiKey, geocodingApiKey].every((key) => {
      try {
        return key === null || secrets.open(key) !== '';
      } catch {
        return false;
      }
    });
    if (!canOpen) wrongs.add(id);
  }
  const some = wrongs.describe('map');
  if (some === null) return;
  yield {
    check: 'keys',
    message: `The API keys of ${some} cannot be decrypted.`,
    remedy: `Set them anew (map-locations map update). ${RESTORE_LAST}`,
  };
}
