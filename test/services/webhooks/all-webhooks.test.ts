/** Iteration over all webhooks of a store. */

import { allWebhooks } from '../../../src/services/webhooks/all-webhooks.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { aWebhook, collect, idsOf, seedMap } from '../../contract/storage/fixtures.ts';

it('returns each webhook once, by id, however many there are', async () => {
  const storage = await openStorage('sqlite::memory:', { timeoutMs: 1_000 });
  const { id: mapId } = await seedMap(storage);
  expect(await collect(allWebhooks(storage))).toEqual([]);
  const ids: string[] = [];
  // One batch, one more, and more than two batches.
  for (const count of [499, 500, 501, 1_100]) {
    while (ids.length < count) {
      const id = `webhook_${String(ids.length).padStart(5, '0')}`;
      await storage.insertWebhook(aWebhook(mapId, { id, isEnabled: ids.length % 2 === 0 }), count);
      ids.push(id);
    }
    expect(idsOf(await collect(allWebhooks(storage)))).toEqual(ids);
  }
  await storage.close();
});
