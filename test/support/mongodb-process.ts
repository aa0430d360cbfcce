/**
 * A gateway process, as the store sees it: `mongodb-process.ts <url>`. Opens the store, prints `ready`, and runs the plans
 * from its input, each a line of JSON. It prints the outcome of each insert as a line of JSON.
 */

import { createInterface } from 'node:readline';

import { openMongodbStorage } from '../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { anInsert, NOW } from '../contract/storage/fixtures.ts';

export interface Plan {
  readonly mapId: string;
  /** Inserts, each with an order (null appends) or a key. */
  readonly inserts: readonly { readonly order: string | null; readonly key?: string }[];
  /** Concurrent inserts. */
  readonly lanes: number;
}

export interface Done {
  readonly kind: string;
  readonly id: string;
  readonly order: string;
  readonly sequence: number;
  readonly asked: { readonly order: string | null; readonly key?: string };
  /** On the machine's monotonic clock, in milliseconds, which all processes share. */
  readonly begun: number;
  readonly answered: number;
}

await main(process.argv[2] ?? '');

async function main(url: string): Promise<void> {
  const storage = await openMongodbStorage(url, { timeoutMs: 60_000 });
  process.stdout.write('ready\n');
  for await (const line of createInterface(process.stdin)) {
    process.stdout.write(`${JSON.stringify(await carryOut(storage, JSON.parse(line) as Plan))}\n`);
  }
  await storage.close();
}

async function carryOut(storage: Storage, { mapId, inserts, lanes }: Plan): Promise<readonly Done[]> {
  const results: Done[] = [];
  const queue = inserts.values();
  const lane = async () => {
    for (const asked of queue) {
      const begun = now();
      const result = await storage.insertLocations(mapId, [anInsert(mapId, asked)], NOW);
      if (result.kind !== 'done') throw new Error(result.kind);
      const [outcome] = result.outcomes;
      if (outcome === undefined || !('location' in outcome)) throw new Error(outcome?.kind);
      const { id, order, sequence } = outcome.location;
      results.push({ kind: outcome.kind, id, order, sequence, asked, begun, answered: now() });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
