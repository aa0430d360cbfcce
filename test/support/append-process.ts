/**
 * A process that appends to a map: `append-process.ts <url> <map id> <count> <chains> [<owner>]`, <count> locations in
 * each of <chains> concurrent chains. With an owner's name it creates the map. Prints each location as a line of JSON
 * once the store has acknowledged it.
 */

import { writeSync } from 'node:fs';

import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts';
import { aMap, anInsert, NOW } from '../contract/storage/fixtures.ts';

const [url = '', mapId = '', count = '0', chains = '1', ownerName] = process.argv.slice(2);

const storage = await openSqliteStorage(url, { timeoutMs: 60_000 });
if (ownerName !== undefined) {
  const { owner } = await storage.findOrCreateOwner({ id: `owner_${mapId}`, name: ownerName, createdAt: 0 });
  await storage.insertMap(aMap(owner.id, { id: mapId }));
}
await Promise.all(Array.from({ length: Number(chains) }, appendInTurn));
await storage.close();

async function appendInTurn(): Promise<void> {
  for (let index = 0; index < Number(count); index += 1) {
    // Not the fixture helpers: those with expectations need Jest.
    const result = await storage.insertLocations(mapId, [anInsert(mapId)], NOW);
    const [outcome] = result.kind === 'done' ? result.outcomes : [];
    if (outcome?.kind !== 'inserted') throw new Error(`not stored: ${outcome?.kind ?? result.kind}`);
    const { id, order, sequence } = outcome.location;
    // Synchronous, so that a line is written before the chain's next location starts.
    writeSync(1, `${JSON.stringify({ id, order, sequence })}\n`);
  }
}
