/**
 * For operators of a MongoDB deployment, sharded or not: `node --import tsx scripts/mongodb-proof.mjs URL [SECONDS]
 * [CLIENTS]`.
 *
 * Checks the plan of every query that the store sends, and measures rates of writes and reads. It works through the
 * store, in two temporary databases, `map-locations-proof-…`, which it drops at the end. Behind mongos it shards them
 * as docs/mongodb.md describes and puts an equal part of the maps on each shard. That page explains the output.
 *
 * Exit status: 0 if all plans are as expected, 1 if not, 2 for wrong arguments.
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

/** As in docs/mongodb.md. */
const SHARD_KEYS = {
  locations: { mapId: 1, _id: 1 },
  claims: { mapId: 1 },
  externalIds: { mapId: 1 },
  changes: { mapId: 1 },
  history: { mapId: 1, _id: 1 },
  versions: { mapId: 1, _id: 1 },
  maps: { _id: 'hashed' },
};
/** The first letters of map ids, in sort order. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const MAPS = 1_000;
const PAGE = 100;

/** Five text fields. */
const PROPERTIES = {
  Name: 'A Brasileira',
  Address: 'Rua Garrett 122, 1200-205 Lisboa, Portugal',
  Category: 'Café',
  Website: 'https://www.abrasileira.pt/',
  Description: 'A café in the Chiado, opened in 1905, known for its coffee and for its guests.',
};

// The test fixtures check this when they make a store.
globalThis.expect = expect;

/** Commands that the stores have sent. */
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
  console.log(`${server.text}\nIn ${name} and ${name}-copy, dropped at the end.`);
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
  if (ferretdb)
    return { text: 'Not mongod: the results below do not apply to mongod.', isMongod: false, shards: [] };
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

/** Gives each shard an equal part of the maps. */
async function shard(db, shards) {
  const admin = client.db('admin');
  await admin.command({ enableSharding: db.databaseName });
  for (const [collection, key] of Object.entries(SHARD_KEYS)) {
    const namespace = `${db.databaseName}.${collection}`;
    await admin.command({ shardCollection: namespace, key });
    // Chunks of a hashed key are distributed already.
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

/** Prints a line for each query of each call. Resolves to whether all plans are as expected. */
async function provePlans(storage, copy, { isMongod }) {
  // Without plans, more rows would only take time.
  const seeded = await seed(storage, isMongod ? undefined : 10);
  await seedCopy(copy);
  const calls = {
    ...everyCall(storage, seeded),
    ...everyCallOfCopy(copy, () => (sent.length = 0)),
  };
  const faults = { scans: 0, untargeted: 0, others: 0 };
  let queries = 0;
  for (const [call, run] of Object.entries(calls)) {
    await settled([database, copyDatabase], sent);
    sent.length = 0;
    await run();
    const own = sent.splice(0).filter((command) => isQuery(command));
    const lines = new Set();
    for (const command of own) {
      const access = await explain(client.db(command.$db), command, isMongod);
      queries += 1;
      const isOther = !EXPECTED[call].includes(line(access));
      // A full index scan is as bad, unless it is expected.
      const isWalk = isOther && Object.values(access.bounds).every((bound) => bound === 'all');
      const isScan = access.stages.includes('COLLSCAN') || isWalk;
      const isUntargeted = access.shards > 1 && isOfOneMap(command);
      if (isScan) faults.scans += 1;
      if (isUntargeted) faults.untargeted += 1;
      if (isOther) faults.others += 1;
      const verdict = isScan ? 'SCAN' : isUntargeted ? 'UNTARGETED' : isOther ? 'OTHER' : 'ok';
      lines.add(`${verdict.padEnd(10)}  ${access.shards}  ${call}: ${line(access)}`);
    }
    for (const text of lines) console.log(text);
  }
  const { scans, untargeted, others } = faults;
  console.log(
    `${Object.keys(calls).length} calls, ${queries} queries: ${scans} without an index, ${untargeted} of one map that reach several shards, ${others} with an unexpected index`,
  );
  return scans === 0 && untargeted === 0;
}

/** Whether all documents that the command looks for are on one shard. */
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
  await measure('locations stored per second, one per call', Number(clients), () => append(1));
  await measure('locations stored per second, a thousand per call', 4, () => append(1_000));
  await measure(`locations read per second, in pages of ${PAGE}`, Number(clients), read);
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
