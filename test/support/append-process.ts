/**
 * A process of its own that appends to a map: `append-process.ts <url> <map id> <count> <chains> [<owner>]`, so many in
 * each of so many chains at once. With an owner's name it makes the map itself. Prints each location as a line of JSON
 * when the store has answered it, and not before.
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
    // No short way of the fixtures: those that expect something need Jest.
    const result = await storage.insertLocations(mapId, [anInsert(mapId)], NOW);
    const [outcome] = result.kind === 'done' ? result.outcomes : [];
    if (outcome?.kind !== 'inserted') throw new Error(`not stored: ${outcome?.kind ?? result.kind}`);
    const { id, order, sequence } = outcome.location;
    // Synchronous, so that a line is out before the chain's next location is begun.
    writeSync(1, `${JSON.stringify({ id, order, sequence })}\n`);
  }
}
