/** The authorization matrix on each store: access must not depend on the adapter. */

import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { unlessChanged } from '../support/scope.ts';
import { describeUnless } from '../support/skip.ts';
import { shortOrLong } from '../support/torture.ts';
import { authorizationMatrix } from './matrix-suite.ts';

describe('on SQLite', () => authorizationMatrix({ url: 'sqlite::memory:', isShort: false }));

const server = await testServer();
const url = server === null ? null : ownDatabase(server);
const unchanged = unlessChanged('src/storage/mongodb', 'src/services', 'test/authorization');
describeUnless((url === null && NO_MONGODB) || unchanged, 'on MongoDB', () =>
  authorizationMatrix({ url: url ?? '', isShort: shortOrLong(true, false) }),
);
