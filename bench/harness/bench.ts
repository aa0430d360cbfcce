/** The interface of workloads. */

import type { Cores } from './cores.ts';
import type { Options } from './options.ts';
import type { WorkloadResult } from './result.ts';
import type { Stores } from './stores.ts';

export interface Bench {
  readonly options: Options;
  readonly cores: Cores;
  /** A temporary folder, removed at the end of the run. */
  readonly folder: string;
  readonly stores: Stores;
  progress(line: string): void;
}

export interface Workload {
  readonly id: string;
  run(bench: Bench): Promise<WorkloadResult>;
}
