/** Entry point of reader threads. */

import { nameSources } from '../../../lib/stack-traces.ts';
import { lowerPriority, serveTasks } from './serve-tasks.ts';
import { TASKS } from './tasks.ts';

nameSources();
lowerPriority();
serveTasks(TASKS);
