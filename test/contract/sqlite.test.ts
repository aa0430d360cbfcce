/** The storage contract on SQLite, in memory and in a file, except search. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { IN_MEMORY } from './mutants.ts';
import { fileAdapter } from './sqlite-file.ts';
import { OTHER_TOPICS, storageSuite } from './storage-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'storage-contract-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

storageSuite(IN_MEMORY, OTHER_TOPICS);
storageSuite(fileAdapter(folder), OTHER_TOPICS);
