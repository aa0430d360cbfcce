/** The request of each command, as in the log at its finest level. */

import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import type { StorageCommand } from '../../../src/storage/storage.ts';
import { anInsert, NOW, seedMap } from '../../contract/storage/fixtures.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'MongoDB commands', () => {
  if (server === null) return;

  it('have the ids of their requests, even for concurrent requests', async () => {
    const commands: StorageCommand[] = [];
    const storage = await openMongodbStorage(ownDatabase(server), {
      timeoutMs: 30_000,
      onCommand: (command) => commands.push(command),
      namesRequests: true,
    });
    try {
      const map = await seedMap(storage);
      commands.length = 0;
      const requests = Array.from({ length: 8 }, (_, index) => `request-${index}`);
      await Promise.all(
        requests.map((requestId) =>
          storage.listLocations(
            map.id,
            { limit: 10, fromEnd: false, after: null, before: null },
            { requestId },
          ),
        ),
      );
      expect(commands.map(({ requestId }) => requestId).sort()).toEqual(requests);
      commands.length = 0;
      await storage.insertLocations(map.id, [anInsert(map.id)], NOW, { requestId: 'writes' });
      expect(commands.length).toBeGreaterThan(1);
      expect(commands.map(({ requestId }) => requestId)).toEqual(commands.map(() => 'writes'));
      commands.length = 0;
      await storage.removeExpired(NOW);
      expect(commands.map(({ requestId }) => requestId)).toEqual(commands.map(() => undefined));
    } finally {
      await storage.close();
    }
  });
});
