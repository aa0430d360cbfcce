/** The program of a reader thread. */

import { nameSources } from '../../../lib/stack-traces.ts';
import { lowerPriority } from './low-priority.ts';
import { serveTasks } from './serve-tasks.ts';
import { TASKS } from './tasks.ts';

nameSources();
lowerPriority();
serveTasks(TASKS);
