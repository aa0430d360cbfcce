/** Both storage adapters have the same file names for the same nouns, so that reading one teaches the other. */

import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const storage = fileURLToPath(new URL('../../src/storage', import.meta.url));

/** File names without extension, such as `doctor/orphans`. `migrations` is a file or a folder. */
function filesOf(adapter: string): readonly string[] {
  const names = readdirSync(join(storage, adapter), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.split(sep).join('/').slice(0, -'.ts'.length))
    .map((name) => name.replace(/^migrations\/.*/, 'migrations'));
  return [...new Set(names)];
}

/** Files of one adapter only, and why. A name with a trailing slash is a folder. */
const SQLITE_ALONE: Readonly<Record<string, string>> = {
  'engine/': 'the binding, prepared statements, group commit and checks of the file; MongoDB has its driver',
  'threads/': 'long reads must not block the event loop; MongoDB reads asynchronously',
  'pending-changes': 'the writes of a transaction update heads and indexes once, before the commit',
  caches: 'the version of the file shows that cached rows and pages are current',
  'doctor/word-index': 'MongoDB stores the terms in the location, and lists.ts checks them',
  'search/search-index': 'FTS5 tables and cell sums; MongoDB stores the indexed values in the location',
  'search/cell-sums': 'stored sums per cell; MongoDB aggregates the points',
  'search/searched-map': 'searches read one map at a time; MongoDB searches groups of maps',
  'search/index-lookups': 'one SQL statement per index',
  'search/candidate-scan': 'scans in steps, so that a thread can stop',
  'search/projection': 'candidates as one text, since passing rows into JavaScript is slow',
  'search/hit-rows': 'hits are read by row number',
  'search/json-scan': 'reads single properties from stored JSON',
  'search/points': 'points from the cell index only',
  'search/point-test': 'SQLite decides most points itself',
};
const MONGODB_ALONE: Readonly<Record<string, string>> = {
  'writes/': 'without transactions: batches, write intents and their recovery',
  client: 'connection options of the driver',
  'change-stream-notifier': 'change streams; SQLite polls the version of the file',
  'history/former-states': 'without transactions: which stored states count',
  'history/restore': 'statements and rounds; in SQLite part of history/trash.ts',
  'history/copies': 'in SQLite part of backup/',
  'fresh-reads': 'reads after an election of a primary',
  'batched-find': 'concurrent reads share a command; a read of SQLite has no round trip',
  'locations/raw-location': 'pages as JSON from BSON; SQLite writes JSON itself',
  'search/groups': 'maps with the same lookups share queries',
  'search/queries': 'queries of the lookups; in SQLite search/index-lookups.ts',
  'search/narrowest-lookup': 'in SQLite part of search/candidates.ts',
  'search/reader': 'cursors within the time limit of a search',
};

const covers = (exception: string, file: string) =>
  exception.endsWith('/') ? file.startsWith(exception) : file === exception;

describe.each([
  ['sqlite', 'mongodb', SQLITE_ALONE],
  ['mongodb', 'sqlite', MONGODB_ALONE],
])('the files of the adapter %s', (adapter, other, exceptions) => {
  const own = filesOf(adapter);
  const others = new Set(filesOf(other));

  it(`have the names of those of ${other}, with the listed exceptions`, () => {
    const unlisted = own.filter(
      (file) => !others.has(file) && !Object.keys(exceptions).some((exception) => covers(exception, file)),
    );
    expect(unlisted).toEqual([]);
  });

  it('need every listed exception', () => {
    const needless = Object.keys(exceptions).filter(
      (exception) => !own.some((file) => covers(exception, file) && !others.has(file)),
    );
    expect(needless).toEqual([]);
  });
});
