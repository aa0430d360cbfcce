/** All tasks of reader threads, by the names that calls give. */

import { EXPORT_TASKS } from '../exports.ts';
import { SEARCH_TASKS } from '../search/tasks.ts';
import type { Tasks } from './long-reads.ts';

export const TASKS: Tasks = { ...SEARCH_TASKS, ...EXPORT_TASKS };
