/** The program of a reader thread. */

import { nameSources } from '../../../stack-traces.ts';
import { serveTasks } from './serve-tasks.ts';
import { TASKS } from './tasks.ts';

nameSources();
serveTasks(TASKS);
