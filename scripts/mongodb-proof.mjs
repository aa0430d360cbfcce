/**
 * For an operator who runs the server on a MongoDB of their own, sharded or not:
 * `node --import tsx scripts/mongodb-proof.mjs URL [SECONDS] [CLIENTS]`.
 *
 * It proves the plans of every query that the store sends, and measures what it writes and reads. All of it is done
 * through the store, in two databases of its own, `map-locations-proof-…`, which are dropped at the end. Behind mongos it
 * shards them as docs/mongodb.md says, and puts a part of the maps on each shard. That page describes what is printed.
 *
 * Exit status: 0 where all plans are right, 1 where one is not, 2 where the arguments are wrong.
 */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';

import { expect } from 'expect';
import { MinKey, MongoClient } from 'mongodb';

import { newLocationId } from '../src/domain/ids.ts';
import { openMongodbStorage } from '../src/storage/mongodb/storage.ts';
import { aMap, anInsert, seedOwner } from '../test/contract/storage/fixtures.ts';
import { everyCall, everyCallOfCopy, seed, seedCopy } from '../test/storage/mongodb/explain-calls.ts';
import { EXPECTED } from '../test/storage/mongodb/explain-expected.ts';
import { explain, filterOf, isQuery, line, settled } from '../test/support/mongodb-explain.ts';
import { urlOfDatabase } from '../test/support/mongodb-server.ts';

const [url, seconds = '10', clients = '32'] = process.argv.slice(2);
if (!/^mongodb(\+srv)?:\/\//.test(url ?? '') || !(Number(seconds) > 0) || !(Number(clients) >= 1)) {
  console.error('Usage: node --import tsx scripts/mongodb-proof.mjs URL [SECONDS] [CLIENTS]');
  process.exit(2);
}

/** Of docs/mongodb.md. */
const SHARD_KEYS = {
  locations: { mapId: 1, _id: 1 },
  claims: { mapId: 1 },
  externalIds: { mapId: 1 },
  changes: { mapId: 1 },
  maps: { _id: 'hashed' },
};
/** The first letters of maps' ids, in their order. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const MAPS = 1_000;
const PAGE = 100;

/** Five fields of text. */
const PROPERTIES = {
  Name: 'A Brasileira',
  Address: 'Rua Garrett 122, 1200-205 Lisboa, Portugal',
  Category: 'Café',
  Website: 'https://www.abrasileira.pt/',
  Description: 'A café in the Chiado, opened in 1905, known for its coffee and for its guests.',
};

// What the fixtures of the tests check as they make a store.
globalThis.expect = expect;

/** Commands of the stores, as they are sent. */
const sent = [];
const { emit } = MongoClient.prototype;
MongoClient.prototype.emit = function (name, ...args) {
  if (name === 'commandStarted') sent.push(args[0].command);
  return emit.call(this, name, ...args);
};

const name = `map-locations-proof-${randomBytes(4).toString('hex')}`;
const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
const [database, copyDatabase] = [client.db(name), client.db(`${name}-copy`)];
const options = { timeoutMs: 60_000, onCommand: () => {} };
const stores = [];
const open = async (db) => {
  const store = await openMongodbStorage(urlOfDatabase(url, db.databaseName), options);
  stores.push(store);
  return store;
};

try {
  const server = await describeServer();
  console.log(`${server.text}\nIn ${name} and ${name}-copy, which are dropped at the end.`);
  if (server.shards.length > 0) for (const db of [database, copyDatabase]) await shard(db, server.shards);
  const [storage, copy] = [await open(database), await open(copyDatabase)];
  if (!(await provePlans(storage, copy, server))) process.exitCode = 1;
  await measureRates(storage);
} finally {
  await Promise.all(stores.map((store) => store.close()));
  await database.dropDatabase();
  await copyDatabase.dropDatabase();
  await client.close();
}

async function describeServer() {
  const admin = client.db('admin');
  const { version, ferretdb } = await admin.command({ buildInfo: 1 });
  if (ferretdb) return { text: 'Not mongod: what follows says nothing of one.', isMongod: false, shards: [] };
  const { msg, setName } = await admin.command({ hello: 1 });
  if (msg !== 'isdbgrid') {
    return {
      text: `mongod ${version}, ${setName ? `replica set ${setName}` : 'one server'}`,
      isMongod: true,
      shards: [],
    };
  }
  const shards = (await admin.command({ listShards: 1 })).shards.map(({ _id }) => _id);
  return { text: `mongos ${version}, ${shards.length} shards`, isMongod: true, shards };
}

/** Each shard gets as many of the maps as the others. */
async function shard(db, shards) {
  const admin = client.db('admin');
  await admin.command({ enableSharding: db.databaseName });
  for (const [collection, key] of Object.entries(SHARD_KEYS)) {
    const namespace = `${db.databaseName}.${collection}`;
    await admin.command({ shardCollection: namespace, key });
    // Chunks of a hashed key are spread already.
    if (key._id === 'hashed') continue;
    const first = Object.fromEntries(Object.keys(key).map((field) => [field, new MinKey()]));
    const begins = shards.map((_, index) =>
      index === 0
        ? first
        : { ...first, mapId: LETTERS[Math.floor((index * LETTERS.length) / shards.length)] },
    );
    for (const middle of begins.slice(1)) await admin.command({ split: namespace, middle });
    for (const [index, to] of shards.entries()) {
      await admin.command({ moveChunk: namespace, find: begins[index], to }).catch((error) => {
        if (!/already on that shard/.test(error.message)) throw error;
      });
    }
  }
}

/** A line for each query of each call. Resolves to whether all are right. */
async function provePlans(storage, copy, { isMongod }) {
  // Where no plans are shown, their number would only take time.
  const seeded = await seed(storage, isMongod ? undefined : 10);
  await seedCopy(copy);
  const calls = {
    ...everyCall(storage, seeded),
    ...everyCallOfCopy(copy, () => (sent.length = 0)),
  };
  const faults = { scans: 0, untargeted: 0, others: 0 };
  let queries = 0;
  for (const [call, run] of Object.entries(calls)) {
    for (const db of [database, copyDatabase]) await settled(db);
    sent.length = 0;
    await run();
    const own = sent.splice(0).filter((command) => isQuery(command));
    const told = new Set();
    for (const command of own) {
      const access = await explain(client.db(command.$db), command, isMongod);
      queries += 1;
      const isOther = !EXPECTED[call].includes(line(access));
      // A walk through a whole index is no better, unless the table has it.
      const isWalk = isOther && Object.values(access.bounds).every((bound) => bound === 'all');
      const isScan = access.stages.includes('COLLSCAN') || isWalk;
      const isUntargeted = access.shards > 1 && isOfOneMap(command);
      if (isScan) faults.scans += 1;
      if (isUntargeted) faults.untargeted += 1;
      if (isOther) faults.others += 1;
      const verdict = isScan ? 'SCAN' : isUntargeted ? 'UNTARGETED' : isOther ? 'OTHER' : 'ok';
      told.add(`${verdict.padEnd(10)}  ${access.shards}  ${call}: ${line(access)}`);
    }
    for (const text of told) console.log(text);
  }
  const { scans, untargeted, others } = faults;
  console.log(
    `${Object.keys(calls).length} calls, ${queries} queries: ${scans} without an index, ${untargeted} of one map that ask several shards, ${others} by another index than the table has`,
  );
  return scans === 0 && untargeted === 0;
}

/** Whether one shard has all that the command looks for. */
function isOfOneMap(command) {
  const collection = Object.values(command)[0];
  const filter = filterOf(command);
  const value = collection === 'maps' ? filter._id : collection in SHARD_KEYS ? filter.mapId : undefined;
  if (typeof value === 'string') return true;
  return typeof value?.$eq === 'string' || value?.$in?.length === 1;
}

async function measureRates(storage) {
  const { id: ownerId } = await seedOwner(storage, 'rates');
  const maps = Array.from({ length: MAPS }, () => aMap(ownerId));
  for (const map of maps) await storage.insertMap(map);
  let next = 0;
  const someMap = () => maps[(next += 1) % MAPS].id;
  const append = async (count) => {
    const mapId = someMap();
    const inserts = Array.from({ length: count }, () =>
      anInsert(mapId, { location: { id: newLocationId(mapId), properties: PROPERTIES } }),
    );
    await storage.insertLocations(mapId, inserts, Date.now());
    return count;
  };
  const read = async () => {
    const page = { limit: PAGE, fromEnd: false, after: null, before: null };
    return (await storage.listLocations(someMap(), page)).length;
  };
  await measure('locations a second are stored, one in a call', Number(clients), () => append(1));
  await measure('locations a second are stored, a thousand in a call', 4, () => append(1_000));
  await measure(`locations a second are read, in pages of ${PAGE}`, Number(clients), read);
}

async function measure(what, workers, work) {
  const begun = performance.now();
  const end = begun + Number(seconds) * 1_000;
  let count = 0;
  const loop = async () => {
    while (performance.now() < end) count += await work();
  };
  await Promise.all(Array.from({ length: workers }, loop));
  const rate = Math.round((count / (performance.now() - begun)) * 1_000);
  console.log(`${String(rate).padStart(10)}  ${what}, by ${workers} clients`);
}
