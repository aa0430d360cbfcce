/** The program of a reader thread. */

import { nameSources } from '../../../lib/stack-traces.ts';
import { lowerPriority, serveTasks } from './serve-tasks.ts';
import { TASKS } from './tasks.ts';

nameSources();
lowerPriority();
serveTasks(TASKS);
