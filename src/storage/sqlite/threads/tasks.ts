/** All tasks of reader threads, by the names that calls give. */

import { EXPORT_TASKS } from '../exports.ts';
import { FINDING_TASKS } from '../finding/tasks.ts';
import type { Tasks } from './long-reads.ts';

export const TASKS: Tasks = { ...FINDING_TASKS, ...EXPORT_TASKS };
