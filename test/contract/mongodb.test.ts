/** The storage contract on MongoDB. */

import { after, describe } from 'node:test';

import { mongodbAdapter } from '../support/mongodb-adapter.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { storageSuite } from './storage-suite.ts';

const server = await testServer();
if (server === null) {
  describe('storage contract: mongodb', { skip: NO_MONGODB }, () => {});
} else {
  const adapter = mongodbAdapter(ownDatabase(server));
  after(() => adapter.close());
  storageSuite(adapter);
}
