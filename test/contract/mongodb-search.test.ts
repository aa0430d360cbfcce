/** The storage contract on MongoDB: search, except clusters. */

import { mongodbAdapter } from '../support/mongodb-adapter.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { describeUnless } from '../support/skip.ts';
import { CLUSTER_TOPICS, SEARCH_TOPICS, storageSuite } from './storage-suite.ts';

const server = await testServer();
if (server === null) {
  describeUnless(NO_MONGODB, 'storage contract: mongodb, search', () => {});
} else {
  const adapter = mongodbAdapter(ownDatabase(server));
  afterAll(() => adapter.close());
  storageSuite(
    adapter,
    SEARCH_TOPICS.filter((topic) => !CLUSTER_TOPICS.includes(topic)),
  );
}
