/** The order of a call's changes on a standalone MongoDB server; mongodb.test.ts runs on a replica set. */

import { MongoMemoryServer } from 'mongodb-memory-server';

import {
  findMongod,
  MONGOD_ARGUMENTS,
  NEEDS_MONGOD_BINARY,
  START_TIMEOUT_MS,
} from '../support/mongod-binary.ts';
import { mongodbAdapter } from '../support/mongodb-adapter.ts';
import { describeUnless } from '../support/skip.ts';
import { changeOrder } from './storage/change-order.ts';
import { storageSuite } from './storage-suite.ts';

const systemBinary = findMongod();
if (systemBinary === undefined) {
  describeUnless(NEEDS_MONGOD_BINARY, 'storage contract: mongodb', () => {});
} else {
  const server = await MongoMemoryServer.create({
    binary: { systemBinary },
    instance: { launchTimeout: START_TIMEOUT_MS, storageEngine: 'wiredTiger', args: MONGOD_ARGUMENTS },
  });
  const adapter = mongodbAdapter(server.getUri('standalone'));
  afterAll(async () => {
    await adapter.close();
    await server.stop();
  });
  storageSuite(adapter, [changeOrder]);
}
