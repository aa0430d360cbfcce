/** The MongoDB server of the tests, and a database of its own for each suite. */

import { randomBytes } from 'node:crypto';

import { MongoClient } from 'mongodb';

/** The reason with which a suite is skipped where there is no server. */
export const NO_MONGODB =
  'needs a MongoDB server: set TEST_MONGODB_URL, or put mongod on the PATH (or its path into ' +
  'MONGOMS_SYSTEM_BINARY), or let mongodb-memory-server download one';

/** The reason with which a test is skipped that shows what only mongod does. */
export const NEEDS_MONGOD =
  'needs mongod itself: this server speaks its protocol, but plans and retries in its own way';

/** The reason with which a test is skipped of what a replica set alone has. */
export const NEEDS_REPLICA_SET =
  'needs mongod itself, as a replica set: no other server here has change streams';

/** The reason with which a test is skipped that kills its server. */
export const NEEDS_KILLABLE =
  'needs a server to kill: mongod (MONGOMS_SYSTEM_BINARY, or on the PATH), or TEST_MONGODB_SERVE, a script with the words ' +
  'start, kill and remove';

export interface TestServer {
  readonly url: string;
  /** False for a server that only speaks the protocol. */
  readonly isMongod: boolean;
  /** Tests of what a replica set alone does need this too. */
  readonly isReplicaSet: boolean;
}

/**
 * The server that was found before the tests (test/support/jest/mongodb.ts); null where there is none: the suites are
 * skipped then, with {@link NO_MONGODB}.
 *
 * @throws Error where there is none and `REQUIRE_MONGODB=1`
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

/** The URL of a database that nobody else uses; it is dropped when the file's tests have ended. */
export function ownDatabase({ url }: Pick<TestServer, 'url'>): string {
  const own = urlOfDatabase(url, `test-${randomBytes(6).toString('hex')}`);
  afterAll(() => dropDatabase(own));
  return own;
}

export async function dropDatabase(url: string): Promise<void> {
  await withClient(url, (client) => client.db().dropDatabase());
}

/** Without a path the database of a user is `admin`; with one it would be that, unless the URL says otherwise. */
export function urlOfDatabase(url: string, database: string): string {
  const [, base = '', path = '', query = ''] = /^([^/]+\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  if (base.includes('@') && !parameters.has('authSource')) parameters.set('authSource', path || 'admin');
  return `${base}/${database}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
}

export async function withClient<T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 10_000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
