/** The searches that may take long, by the names that other threads know them by. */

import { findClusters } from './clusters.ts';
import { countMatches, findJson, findPage, findVersions } from './pages.ts';

export const SEARCH_TASKS = { findPage, findVersions, findJson, countMatches, findClusters };
