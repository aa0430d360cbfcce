/** The tests' program; it only takes jobs once the file `PATH.go` exists. */

import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

import { serveTasks } from '../../../../src/storage/sqlite/threads/serve-tasks.ts';
import type { ThreadData } from '../../../../src/storage/sqlite/threads/messages.ts';
import { TASKS } from './tasks.ts';

const { path } = workerData as ThreadData;
while (!existsSync(`${path}.go`)) await delay(5);
serveTasks(TASKS);
