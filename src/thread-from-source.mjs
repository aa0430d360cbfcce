/** Starts a thread's program from its TypeScript. Node 20 does not apply `--import tsx` to the file that a thread begins with. */

import { workerData } from 'node:worker_threads';

import { register } from 'tsx/esm/api';

register();
await import(workerData.program);
