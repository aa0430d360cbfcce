/** The steps from one version of the schema to the next. ../schema.ts has the result of all steps. */

import type { Database } from '../database.ts';
import { VERSIONS_FROM_1 } from './versions-from-1.ts';
import { VERSIONS_FROM_9 } from './versions-from-9.ts';
import { VERSIONS_FROM_17 } from './versions-from-17.ts';

/** SQL, or a function for what SQL cannot do. It calls `onProgress` after each batch. */
type Migration = string | ((database: Database, onProgress: () => void) => void);

/** The step at index N leads from version N to N + 1. */
export const MIGRATIONS: readonly Migration[] = [...VERSIONS_FROM_1, ...VERSIONS_FROM_9, ...VERSIONS_FROM_17];
