/** The storage contract on SQLite, in memory and in a file: search. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { IN_MEMORY } from './mutants.ts';
import { fileAdapter } from './sqlite-file.ts';
import { SEARCH_TOPICS, storageSuite } from './storage-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'storage-contract-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

storageSuite(IN_MEMORY, SEARCH_TOPICS);
storageSuite(fileAdapter(folder), SEARCH_TOPICS);
