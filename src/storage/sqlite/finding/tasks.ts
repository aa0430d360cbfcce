/** The searches that may take long, by the names that other threads know them by. */

import { findClusters } from './clusters.ts';
import { countFound, findJson, findPage, findVersions } from './find.ts';

export const FINDING_TASKS = { findPage, findVersions, findJson, countFound, findClusters };
