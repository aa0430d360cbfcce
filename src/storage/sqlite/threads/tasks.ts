/** The tasks that reader threads run, by name. */

import { exportLocations } from '../locations/exports.ts';
import { findClusters } from '../search/clusters.ts';
import { readColumns } from '../search/columns.ts';
import { countMatches } from '../search/counts.ts';
import { findJson, findPage, findVersions } from '../search/pages.ts';
import type { Tasks } from './long-reads.ts';

export const TASKS = {
  findPage,
  findVersions,
  findJson,
  countMatches,
  findClusters,
  readColumns,
  exportLocations,
} satisfies Tasks;

export type TaskName = keyof typeof TASKS;
