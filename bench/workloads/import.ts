/** P6: an import of rows that carry their coordinates. */

import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { IMPORT_BATCH_SIZE } from '../../src/services/imports/batches.ts';
import type { Bench, Workload } from '../harness/bench.ts';
import { writeCsv } from '../harness/locations.ts';
import { CLI, subjectFile } from '../harness/paths.ts';
import { run } from '../harness/processes.ts';
import { formatNumber, formatRatio, formatSpread } from '../harness/result.ts';
import { ratioOf, spreadOf } from '../harness/statistics.ts';
import type { SqliteStore } from '../harness/stores.ts';
import { copyStore } from '../harness/stores.ts';
import { OURS, settingsOf } from '../harness/subject.ts';

const BARE = 'bare batched inserts';
const REACH = 0.7;

export const importRows: Workload = {
  id: 'P6',
  async run(bench) {
    const { importedRows } = bench.options.sizes;
    const empty = await bench.stores.empty();
    const file = join(bench.folder, 'imported.csv');
    await writeCsv(file, importedRows);
    // The bare one commits as often as ours does.
    const batch = IMPORT_BATCH_SIZE;
    const ways = {
      [OURS]: (store: SqliteStore) => [CLI, 'import', store.mapId, file],
      [BARE]: (store: SqliteStore) => [
        subjectFile('bare-import'),
        store.path,
        store.mapId,
        file,
        String(batch),
      ],
    };
    const rates: Record<keyof typeof ways, number[]> = { [OURS]: [], [BARE]: [] };
    let isCompared = false;

    for (let round = 1; round <= bench.options.rounds; round += 1) {
      const filled: SqliteStore[] = [];
      for (const name of [OURS, BARE] as const) {
        const store = copyStore(empty, bench.folder, `import-${round}-${filled.length}`);
        const rate = importedRows / (await secondsOf(bench, ways[name](store), store));
        rates[name].push(rate);
        filled.push(store);
        bench.progress(`round ${round}: ${name} ${Math.round(rate)} rows/s`);
      }
      if (!isCompared) assertSameRows(filled, importedRows);
      isCompared = true;
    }

    const ratio = ratioOf(rates[OURS], rates[BARE]);
    return {
      id: 'P6',
      title: `import of ${formatNumber(importedRows)} rows with coordinates into SQLite, whole processes`,
      goals: [
        {
          against: BARE,
          ours: `${formatNumber(spreadOf(rates[OURS]).median)} rows/s`,
          theirs: `${formatNumber(spreadOf(rates[BARE]).median)} rows/s`,
          value: formatRatio(ratio),
          beside: '',
          reach: String(REACH),
          isReached: ratio.median >= REACH,
        },
      ],
      rows: ([OURS, BARE] as const).map((name) => ({
        name,
        cells: [`${formatSpread(spreadOf(rates[name]))} rows/s`, '', '', ''],
      })),
      notes: [`both in transactions of ${batch} rows, WAL, synchronous=FULL`],
    };
  },
};

async function secondsOf(bench: Bench, args: readonly string[], { url }: SqliteStore): Promise<number> {
  const begun = performance.now();
  await run([process.execPath, ...args], {
    core: bench.cores.server,
    cwd: bench.folder,
    env: settingsOf(url),
  });
  return (performance.now() - begun) / 1000;
}

/** All but what is random or the time. */
const COLUMNS = `order_key, sequence, position, name, place_id, latitude, longitude, properties, provider, "precision"`;

/** @throws Error where the two stores do not hold the same locations */
function assertSameRows(stores: readonly SqliteStore[], count: number): void {
  const [first = '', second = ''] = stores.map(({ path }) => path);
  const database = new DatabaseSync(first);
  try {
    database.prepare('ATTACH ? AS other').run(second);
    const counts = database
      .prepare(
        `SELECT (SELECT COUNT(*) FROM main.locations) AS ours, (SELECT COUNT(*) FROM other.locations) AS theirs,
           (SELECT COUNT(*) FROM (SELECT ${COLUMNS} FROM main.locations EXCEPT
              SELECT ${COLUMNS} FROM other.locations)) AS different`,
      )
      .get() as { ours: number; theirs: number; different: number };
    const { ours, theirs, different } = counts;
    if (ours !== count || theirs !== count || different !== 0)
      throw new Error(
        `Of ${count} rows ${OURS} stored ${ours}, the ${BARE} ${theirs}, and ${different} of them differ.`,
      );
  } finally {
    database.close();
  }
}
