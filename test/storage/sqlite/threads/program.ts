/** A reader thread's program with the tests' tasks. */

import { serveTasks } from '../../../../src/storage/sqlite/threads/serve-tasks.ts';
import { TASKS } from './tasks.ts';

serveTasks(TASKS);
