/** P6: an import of rows that carry their coordinates. */

import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { IMPORT_BATCH_SIZE } from '../../src/services/imports/batches.ts';
import type { Bench, Workload } from '../harness/bench.ts';
import { writeCsv } from '../harness/locations.ts';
import { CLI, subjectFile } from '../harness/paths.ts';
import { run } from '../harness/processes.ts';
import type { Goal, Row } from '../harness/result.ts';
import { formatNumber, formatRatio, formatSpread } from '../harness/result.ts';
import { ratioOf, spreadOf } from '../harness/statistics.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
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
    await writeCsv(file, { count: importedRows });
    // The bare one commits as often as ours does.
    const batch = IMPORT_BATCH_SIZE;
    const ours: Importer = {
      name: OURS,
      empty,
      argumentsFor: ({ mapId }) => [CLI, 'import', mapId, file],
    };
    const bare: Importer = {
      name: BARE,
      empty,
      argumentsFor: ({ path, mapId }) => [subjectFile('bare-import'), path, mapId, file, String(batch)],
    };
    const { goal, rows } = await importInRounds(bench, ours, bare, {
      rows: importedRows,
      reach: REACH,
      against: BARE,
    });
    return {
      id: 'P6',
      title: `import of ${formatNumber(importedRows)} rows with coordinates into SQLite, whole processes`,
      goals: [goal],
      rows,
      notes: [`both in transactions of ${batch} rows, WAL, synchronous=FULL`],
    };
  },
};

/** A way to import, into copies of an empty store. */
export interface Importer {
  readonly name: string;
  readonly empty: SqliteStore;
  /** What Node runs. */
  argumentsFor(store: SqliteStore): readonly string[];
}

export interface ImportGoal {
  readonly rows: number;
  readonly reach: number;
  readonly against: string;
}

/** Whole processes, in turn; what both have stored is compared once. */
export async function importInRounds(
  bench: Bench,
  ours: Importer,
  theirs: Importer,
  { rows: count, reach, against }: ImportGoal,
): Promise<{ goal: Goal; rows: Row[] }> {
  const rates = new Map<Importer, number[]>([
    [ours, []],
    [theirs, []],
  ]);
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    const filled: SqliteStore[] = [];
    for (const [importer, rate] of rates) {
      const store = copyStore(importer.empty, bench.folder, `import-${filled.length}`);
      rate.push(count / (await secondsOf(bench, importer.argumentsFor(store), store)));
      filled.push(store);
      bench.progress(`round ${round}: ${importer.name} ${Math.round(rate.at(-1) ?? 0)} rows/s`);
    }
    if (round === 1) assertSameRows(filled, count, [ours.name, theirs.name]);
  }
  const [our = [], their = []] = [...rates.values()];
  const ratio = ratioOf(our, their);
  return {
    goal: {
      against,
      ours: `${formatNumber(spreadOf(our).median)} rows/s`,
      theirs: `${formatNumber(spreadOf(their).median)} rows/s`,
      value: formatRatio(ratio),
      beside: '',
      reach: String(reach),
      isReached: ratio.median >= reach,
    },
    rows: [...rates].map(([{ name }, rate]) => ({
      name,
      cells: [`${formatSpread(spreadOf(rate))} rows/s`, '', '', ''],
    })),
  };
}

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
function assertSameRows(
  stores: readonly SqliteStore[],
  count: number,
  [firstName, secondName]: readonly string[],
): void {
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
        `Of ${count} rows ${firstName} stored ${ours}, ${secondName} ${theirs}, and ${different} of them differ.`,
      );
  } finally {
    database.close();
  }
}
