/** P16: what the search indexes cost writes: creates and imports against the program before it had them. */

import { join } from 'node:path';

import type { Bench, Workload } from '../harness/bench.ts';
import { BEFORE_SEARCH, buildEarlier } from '../harness/earlier-program.ts';
import { writeCsv } from '../harness/locations.ts';
import { stopAfter } from '../harness/peers.ts';
import { formatNumber, ratioGoal, rowsOf } from '../harness/result.ts';
import type { Measured } from '../harness/wrk.ts';
import { measureRounds } from '../harness/rounds.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import { copyStore, createSqliteStore } from '../harness/stores.ts';
import type { Program, Subject } from '../harness/subject.ts';
import { cli, OUR_PROGRAM, startOurs } from '../harness/subject.ts';
import { assertSameCreate, createRequest } from './creates.ts';
import { importGoal, importInRounds, rowsOfImports } from './import.ts';
import { loadOf, onServerCore } from './page-load.ts';

const CREATES_TARGET = 0.7;
const IMPORT_TARGET = 0.5;

/** A program with an empty store of its version. */
interface Side {
  readonly program: Program;
  readonly empty: SqliteStore;
}

export const writeCost: Workload = {
  id: 'P16',
  async run(bench) {
    const { folder, options } = bench;
    const program = await buildEarlier(BEFORE_SEARCH, folder, options.stores, (line) => bench.progress(line));
    const before = await createSqliteStore(join(folder, 'earlier.db'), folder, 0, program);
    // The same map and tokens; our first command migrates the store.
    const now = copyStore(before, folder, 'earlier-upgraded');
    await cli(now.url, ['token', 'create', '--owner', 'bench', '--scope', 'read'], folder);
    const sides: Side[] = [
      { program: OUR_PROGRAM, empty: now },
      { program, empty: before },
    ];
    const creates = await measureCreates(bench, sides);
    const imports = await measureImports(bench, sides);
    return {
      id: 'P16',
      title: 'writes with all search indexes against the program before it had any',
      goals: [
        ratioGoal(`${program.name}: durable creates, as P7`, creates[0], creates[1], CREATES_TARGET),
        imports.goal,
      ],
      rows: [...rowsOf(creates), ...imports.rows],
      notes: [],
    };
  },
};

async function measureCreates(bench: Bench, sides: readonly Side[]): Promise<Measured[]> {
  const servers: Subject[] = [];
  for (const [index, { program, empty }] of sides.entries()) {
    const store = copyStore(empty, bench.folder, `earlier-creates-${index}`);
    servers.push(await startOurs(store.url, onServerCore(bench, store), {}, program));
  }
  return stopAfter(servers, async () => {
    const { mapId, writeToken } = sides[0]!.empty;
    const create = createRequest(mapId);
    await assertSameCreate(servers[0]!, servers[1]!, create, writeToken);
    const load = loadOf(bench, 'P16', [create], writeToken);
    return measureRounds(
      bench,
      servers.map((subject) => ({ name: `${subject.name}, creates`, subject, load })),
    );
  });
}

async function measureImports(bench: Bench, sides: readonly Side[]) {
  const rows = bench.options.sizes.importedRows;
  const file = join(bench.folder, 'earlier.csv');
  await writeCsv(file, { count: rows });
  const importers = sides.map(({ program, empty }) => ({
    name: `${program.name}, import`,
    empty,
    argumentsFor: ({ mapId }: SqliteStore) => [program.file, 'import', mapId, file],
  }));
  const measured = await importInRounds(bench, importers, rows);
  const against = `${sides[1]!.program.name}: import of ${formatNumber(rows)} rows, as P6`;
  return {
    goal: importGoal(measured[0], measured[1], against, IMPORT_TARGET),
    rows: rowsOfImports(measured),
  };
}
