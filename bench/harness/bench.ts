/** What every workload gets. */

import type { Cores } from './cores.ts';
import type { Options } from './options.ts';
import type { WorkloadResult } from './result.ts';
import type { Stores } from './stores.ts';

export interface Bench {
  readonly options: Options;
  readonly cores: Cores;
  /** A folder of this run's own, removed at its end. */
  readonly folder: string;
  readonly stores: Stores;
  progress(line: string): void;
}

export interface Workload {
  readonly id: string;
  run(bench: Bench): Promise<WorkloadResult>;
}
