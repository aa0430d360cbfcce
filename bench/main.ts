/** `npm run bench`: see README.md. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Workload } from './harness/bench.ts';
import { onEnd, undoAll } from './harness/cleanup.ts';
import { chooseCores, pinSelf } from './harness/cores.ts';
import type { Options } from './harness/options.ts';
import { readOptions, USAGE } from './harness/options.ts';
import { RESULTS } from './harness/paths.ts';
import { killAll } from './harness/processes.ts';
import { renderReport } from './harness/report.ts';
import { prepare } from './harness/requirements.ts';
import type { WorkloadResult } from './harness/result.ts';
import { createStores } from './harness/stores.ts';
import { boxes } from './workloads/boxes.ts';
import { clusters } from './workloads/clusters.ts';
import { creates } from './workloads/creates.ts';
import { depth } from './workloads/depth.ts';
import { endpoints } from './workloads/endpoints.ts';
import { writeCost } from './workloads/write-cost.ts';
import { exportMap } from './workloads/export.ts';
import { footprint } from './workloads/footprint.ts';
import { graphqlWorkloads } from './workloads/graphql.ts';
import { importRows } from './workloads/import.ts';
import { loopDelay } from './workloads/loop-delay.ts';
import { mapSize } from './workloads/map-size.ts';
import { mongodb } from './workloads/mongodb.ts';
import { searchPages } from './workloads/search.ts';
import { tiles } from './workloads/tiles.ts';
import { updateCost } from './workloads/update-cost.ts';
import { v0Pages } from './workloads/v0-pages.ts';
import { workers } from './workloads/workers.ts';

const WORKLOADS: readonly Workload[] = [
  ...v0Pages,
  ...graphqlWorkloads,
  depth,
  importRows,
  creates,
  boxes,
  footprint,
  mongodb,
  workers,
  endpoints,
  searchPages,
  mapSize,
  clusters,
  writeCost,
  exportMap,
  loopDelay,
  updateCost,
  tiles,
];

process.on('exit', killAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void end(130));
}

try {
  const options = readOptions(
    process.argv.slice(2),
    WORKLOADS.map(({ id }) => id),
  );
  if (options === 'help') console.log(USAGE);
  else await bench(options);
  await end(0);
} catch (error) {
  console.error(error instanceof Error ? `bench: ${error.message}` : error);
  await end(1);
}

async function end(code: number): Promise<never> {
  killAll();
  await undoAll();
  return process.exit(code);
}

async function bench(options: Options): Promise<void> {
  const startedAt = performance.now();
  const progress = (line: string) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4);
    console.error(`${seconds} s  ${line}`);
  };
  prepare();
  const cores = chooseCores();
  if (cores.server === cores.generator) progress('the server and the generator share the only core');
  pinSelf(cores);
  const folder = mkdtempSync(join(tmpdir(), 'map-locations-bench-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const stores = createStores(folder, options.stores, options.sizes, progress);

  const results: WorkloadResult[] = [];
  for (const workload of WORKLOADS) {
    const { id } = workload;
    if (options.only !== null && !options.only.includes(id)) continue;
    progress(id);
    const workloadProgress = (line: string) => progress(`${id}  ${line}`);
    results.push(await workload.run({ options, cores, folder, stores, progress: workloadProgress }));
  }

  const report = renderReport(results, options);
  console.log(`\n${report}`);
  if (options.write) writeFileSync(RESULTS, report);
  progress(options.write ? 'done; wrote bench/RESULTS.md' : 'done');
}
