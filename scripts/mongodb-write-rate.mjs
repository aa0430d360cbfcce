/**
 * Measures how many locations a MongoDB stores a second, for an operator who sizes a shard:
 * `node scripts/mongodb-write-rate.mjs URL [SECONDS] [CLIENTS]`.
 *
 * It writes documents like the server's, with majority and journal. Several clients write one at a time, and then in
 * batches of 1,000. The documents go to a database of its own, `write-rate-…`, which is dropped at the end.
 */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';

import { BSON, MongoClient } from 'mongodb';

const [url, seconds = '10', clients = '32'] = process.argv.slice(2);
if (!url) {
  console.error('Usage: node scripts/mongodb-write-rate.mjs URL [SECONDS] [CLIENTS]');
  process.exit(2);
}

const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
const database = client.db(`write-rate-${randomBytes(4).toString('hex')}`);
const locations = database.collection('locations');
let sequence = 0;

try {
  const { version, ferretdb } = await client.db('admin').command({ buildInfo: 1 });
  console.log(ferretdb ? 'Not mongod: the rates say nothing of one.' : `mongod ${version}`);
  await locations.createIndexes([
    { key: { mapId: 1, place: 1 }, name: 'locations_in_order' },
    { key: { mapId: 1, sequence: 1 }, name: 'locations_by_sequence' },
  ]);
  console.log(`${BSON.calculateObjectSize(aLocation())} bytes a document`);
  for (const batch of [1, 1000]) await measure(batch);
} finally {
  await database.dropDatabase();
  await client.close();
}

async function measure(batch) {
  const begun = performance.now();
  const end = begun + Number(seconds) * 1000;
  let count = 0;
  const write = async () => {
    while (performance.now() < end) {
      await locations.insertMany(Array.from({ length: batch }, aLocation), { ordered: false });
      count += batch;
    }
  };
  await Promise.all(Array.from({ length: batch === 1 ? Number(clients) : 4 }, write));
  const rate = Math.round((count / (performance.now() - begun)) * 1000);
  console.log(
    `${rate} locations a second, ${batch === 1 ? `one at a time by ${clients} clients` : 'in thousands'}`,
  );
}

/** The locations are spread over 1,000 maps. Each is at the end of its map's list. */
function aLocation() {
  sequence += 1;
  const mapId = String(sequence % 1000).padStart(16, '0');
  return {
    _id: `${mapId}_${randomBytes(6).toString('hex')}`,
    mapId,
    sequence,
    place: `2505${sequence}\u0001${String(sequence).padStart(15, '0')}`,
    order: String(sequence),
    name: 'A Brasileira',
    placeId: 'geonames:2267057',
    latitude: 38.71667,
    longitude: -9.13333,
    properties: JSON.stringify({
      Name: 'A Brasileira',
      Address: 'Rua Garrett 122, 1200-205 Lisboa, Portugal',
      Category: 'Café',
      Website: 'https://www.abrasileira.pt/',
      Description: 'A café in the Chiado, opened in 1905, known for its coffee and for its guests.',
    }),
    createdAt: new Date(),
    provider: 'offline',
    precision: 'locality',
  };
}
