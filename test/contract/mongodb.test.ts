/** The storage contract on MongoDB, except search. */

import { mongodbAdapter } from '../support/mongodb-adapter.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { describeUnless } from '../support/skip.ts';
import { OTHER_TOPICS, storageSuite } from './storage-suite.ts';

const server = await testServer();
if (server === null) {
  describeUnless(NO_MONGODB, 'storage contract: mongodb', () => {});
} else {
  const adapter = mongodbAdapter(ownDatabase(server));
  afterAll(() => adapter.close());
  storageSuite(adapter, OTHER_TOPICS);
}
