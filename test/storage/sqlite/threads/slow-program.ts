/** The tests' program, which can take jobs once there is a file `PATH.go` beside the database. */

import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

import { serveTasks } from '../../../../src/storage/sqlite/threads/serve-tasks.ts';
import type { ThreadData } from '../../../../src/storage/sqlite/threads/messages.ts';
import { TASKS } from './tasks.ts';

const { path } = workerData as ThreadData;
while (!existsSync(`${path}.go`)) await delay(5);
serveTasks(TASKS);
