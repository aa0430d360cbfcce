/** All tasks of reader threads, by the names that calls give. */

import type { Tasks } from './long-reads.ts';

export const TASKS: Tasks = {};
