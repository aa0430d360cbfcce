/** P6: an import of rows with coordinates. */

import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { IMPORT_BATCH_SIZE } from '../../src/transfer/import/batches.ts';
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
const INDEXED = 'bare batched inserts, with indexes by hand';
const TARGET = 0.7;

export const importRows: Workload = {
  id: 'P6',
  async run(bench) {
    const { importedRows } = bench.options.sizes;
    const empty = await bench.stores.empty();
    const file = join(bench.folder, 'imported.csv');
    await writeCsv(file, { count: importedRows });
    // The bare inserts commit as often as our import.
    const batch = IMPORT_BATCH_SIZE;
    const ours: Importer = {
      name: OURS,
      empty,
      argumentsFor: ({ mapId }) => [CLI, 'import', mapId, file],
    };
    const bare = (name: string, ...indexed: string[]): Importer => ({
      name,
      empty,
      argumentsFor: ({ path, mapId }) => [
        subjectFile('bare-import'),
        path,
        mapId,
        file,
        String(batch),
        ...indexed,
      ],
    });
    const measured = await importInRounds(bench, [ours, bare(INDEXED, 'indexed'), bare(BARE)], importedRows);
    const [us, indexed] = measured;
    return {
      id: 'P6',
      title: `import of ${formatNumber(importedRows)} rows with coordinates into SQLite, whole processes`,
      goals: [importGoal(us, indexed, INDEXED, TARGET)],
      rows: rowsOfImports(measured),
      notes: [`all in transactions of ${batch} rows, WAL, synchronous=FULL`],
    };
  },
};

/** An import program, run on copies of an empty store. */
export interface Importer {
  readonly name: string;
  readonly empty: SqliteStore;
  /** Arguments of Node. */
  argumentsFor(store: SqliteStore): readonly string[];
}

export interface MeasuredImport {
  readonly name: string;
  /** Rows per second, one rate per round. */
  readonly rates: readonly number[];
}

/** Runs whole processes in turn, and compares the stored rows once. @returns in the order of `importers` */
export async function importInRounds(
  bench: Bench,
  importers: readonly Importer[],
  count: number,
): Promise<MeasuredImport[]> {
  const measured = importers.map((importer) => ({ importer, name: importer.name, rates: [] as number[] }));
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    const filled: SqliteStore[] = [];
    for (const { importer, name, rates } of measured) {
      const store = copyStore(importer.empty, bench.folder, `import-${filled.length}`);
      const rate = count / (await secondsOf(bench, importer.argumentsFor(store), store));
      rates.push(rate);
      filled.push(store);
      bench.progress(`round ${round}: ${name} ${Math.round(rate)} rows/s`);
    }
    if (round === 1) assertSameRows(filled, measured, count);
  }
  return measured;
}

export function importGoal(
  ours: MeasuredImport | undefined,
  theirs: MeasuredImport | undefined,
  against: string,
  target: number,
): Goal {
  const [our, their] = [ours?.rates ?? [], theirs?.rates ?? []];
  const ratio = ratioOf(our, their);
  return {
    against,
    ours: `${formatNumber(spreadOf(our).median)} rows/s`,
    theirs: `${formatNumber(spreadOf(their).median)} rows/s`,
    value: formatRatio(ratio),
    second: '',
    target: String(target),
    isMet: ratio.median >= target,
  };
}

export function rowsOfImports(measured: readonly MeasuredImport[]): Row[] {
  return measured.map(({ name, rates }) => ({
    name,
    cells: [`${formatSpread(spreadOf(rates))} rows/s`, '', '', ''],
  }));
}

async function secondsOf(bench: Bench, args: readonly string[], { url }: SqliteStore): Promise<number> {
  const startedAt = performance.now();
  await run([process.execPath, ...args], {
    core: bench.cores.server,
    cwd: bench.folder,
    env: settingsOf(url),
  });
  return (performance.now() - startedAt) / 1000;
}

/** All columns except random values and times. */
const COLUMNS = `order_key, sequence, position, name, place_id, latitude, longitude, properties, provider, "precision"`;

/** @throws Error when a store does not contain the same locations as the first */
function assertSameRows(
  stores: readonly SqliteStore[],
  importers: readonly { readonly name: string }[],
  count: number,
): void {
  const [ours, ...others] = stores.map(({ path }, index) => ({ path, name: importers[index]?.name ?? '' }));
  for (const theirs of others) assertSame(ours!, theirs, count);
}

interface Filled {
  readonly path: string;
  readonly name: string;
}

function assertSame(first: Filled, second: Filled, count: number): void {
  const database = new DatabaseSync(first.path);
  try {
    database.prepare('ATTACH ? AS other').run(second.path);
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
        `Of ${count} rows, ${first.name} stored ${ours} and ${second.name} ${theirs}; ${different} differ.`,
      );
  } finally {
    database.close();
  }
}
