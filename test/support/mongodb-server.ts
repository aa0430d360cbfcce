/** The MongoDB server of the tests, and a separate database for each suite. */

import { randomBytes } from 'node:crypto';

import { MongoClient } from 'mongodb';

/** Why a suite is skipped without a server. */
export const NO_MONGODB =
  'needs a MongoDB server: set TEST_MONGODB_URL, or put mongod on the PATH (or its path into ' +
  'MONGOMS_SYSTEM_BINARY), or let mongodb-memory-server download one';

/** Why a test of mongod's own behaviour is skipped. */
export const NEEDS_MONGOD =
  'needs mongod itself: this server speaks its protocol, but plans and retries in its own way';

/** Why a test of a replica set is skipped. */
export const NEEDS_REPLICA_SET =
  'needs mongod itself, as a replica set: no other server here has change streams';

/** Why a test that kills its server is skipped. */
export const NEEDS_KILLABLE =
  'needs a server to kill: mongod (MONGOMS_SYSTEM_BINARY, or on the PATH), or TEST_MONGODB_SERVE, a script with the words ' +
  'start, kill and remove';

export interface TestServer {
  readonly url: string;
  /** False for a server that only speaks the protocol. */
  readonly isMongod: boolean;
  /** Required by tests of a replica set. */
  readonly isReplicaSet: boolean;
}

/**
 * The server that was found before the tests (test/support/jest/mongodb.ts); null if there is none, in which case suites are
 * skipped with {@link NO_MONGODB}.
 *
 * @throws Error if there is none and `REQUIRE_MONGODB=1`
 */
export async function testServer(): Promise<TestServer | null> {
  const url = process.env['TEST_MONGODB_URL'];
  if (!url) {
    if (process.env['REQUIRE_MONGODB'] === '1') throw new Error(`REQUIRE_MONGODB=1, and this ${NO_MONGODB}.`);
    return null;
  }
  return withClient(url, async (client) => {
    const admin = client.db('admin');
    const [build, hello] = [await admin.command({ buildInfo: 1 }), await admin.command({ hello: 1 })];
    return {
      url,
      isMongod: !('ferretdb' in build),
      isReplicaSet: typeof hello['setName'] === 'string',
    };
  });
}

/** The URL of a new database, dropped after the file's tests. */
export function ownDatabase({ url }: Pick<TestServer, 'url'>): string {
  const own = urlOfDatabase(url, `test-${randomBytes(6).toString('hex')}`);
  afterAll(() => dropDatabase(own));
  return own;
}

export async function dropDatabase(url: string): Promise<void> {
  await withClient(url, (client) => client.db().dropDatabase());
}

/** Users are authenticated in `admin`, or in the database of the path unless the URL says otherwise. */
export function urlOfDatabase(url: string, database: string): string {
  const [, base = '', path = '', query = ''] = /^([^/]+\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  if (base.includes('@') && !parameters.has('authSource')) parameters.set('authSource', path || 'admin');
  return `${base}/${database}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
}

export async function withClient<T>(
  url: string,
  work: (client: MongoClient) => Promise<T>,
  timeoutMs = 10_000,
): Promise<T> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: timeoutMs });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
