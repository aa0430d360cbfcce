import { mongodbAdapter } from '../../support/mongodb-adapter.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';
import { mirrorSuite } from './mirror-suite.ts';

const server = await testServer();
if (server === null) {
  describeUnless(NO_MONGODB, 'mirrors on mongodb', () => {});
} else {
  const adapter = mongodbAdapter(ownDatabase(server));
  afterAll(() => adapter.close());
  mirrorSuite('mongodb', () => adapter.open({}));
}
