/** Chooses the adapter by the scheme of `DATABASE_URL`, and loads only that one. */

import type { Examination } from './examination.ts';
import type { Storage, StorageOptions } from './storage.ts';
import { IncompatibleStorageError } from './incompatible.ts';

interface Scheme {
  readonly prefix: string;
  /** The database's name in OpenTelemetry's semantic conventions. */
  readonly system: string;
  /** True for a separate server, which may start after this one. */
  readonly mayBeAway: boolean;
  /** Whether the store exists. Always true for a server: only opening it shows. */
  isThere(url: string): Promise<boolean>;
  /** For people; contains no secret. */
  describe(url: string): Promise<string>;
  /** Whether each process that opens it gets a store of its own. */
  isPrivate(url: string): Promise<boolean>;
  open(url: string, options: StorageOptions): Promise<Storage>;
  /** Opens it for a read-only examination. */
  examine(url: string, options: StorageOptions): Promise<Examination>;
}

const MONGODB = {
  system: 'mongodb',
  mayBeAway: true,
  isThere: () => Promise.resolve(true),
  isPrivate: () => Promise.resolve(false),
  describe: (url: string) => Promise.resolve(`MongoDB, ${withoutCredentials(url)}`),
  open: openMongodb,
  examine: async (url: string, options: StorageOptions) =>
    (await import('./mongodb/doctor/examine.ts')).examineMongodb(url, options),
};

const SCHEMES: readonly Scheme[] = [
  {
    prefix: 'sqlite:',
    system: 'sqlite',
    mayBeAway: false,
    isThere: async (url) => (await import('./sqlite/storage.ts')).isSqliteFile(url),
    isPrivate: async (url) => (await import('./sqlite/storage.ts')).isInMemory(url),
    describe: async (url) => {
      const path = (await import('./sqlite/storage.ts')).absolutePathOf(url);
      return path === null
        ? 'SQLite, in memory: everything is lost when the process ends'
        : `SQLite, ${path}`;
    },
    open: async (url, options) => (await import('./sqlite/storage.ts')).openSqliteStorage(url, options),
    examine: async (url, options) => {
      const path = (await import('./sqlite/storage.ts')).absolutePathOf(url);
      if (path === null)
        throw new IncompatibleStorageError(
          'A store in memory cannot be examined: it exists only in its process.',
        );
      return (await import('./sqlite/doctor/examine.ts')).examineSqlite(path, options);
    },
  },
  { ...MONGODB, prefix: 'mongodb:' },
  { ...MONGODB, prefix: 'mongodb+srv:' },
];

async function openMongodb(url: string, options: StorageOptions): Promise<Storage> {
  return (await import('./mongodb/storage.ts')).openMongodbStorage(url, options);
}

/** Accepted URL schemes, for messages. */
export const STORAGE_SCHEMES: readonly string[] = SCHEMES.map((scheme) => scheme.prefix);

export function isStorageUrl(url: string): boolean {
  return SCHEMES.some((scheme) => url.startsWith(scheme.prefix));
}

/** False for a store that opening would create, such as a missing file. */
export async function isThere(url: string): Promise<boolean> {
  return (await SCHEMES.find(({ prefix }) => url.startsWith(prefix))?.isThere(url)) ?? false;
}

/** Whether each process that opens it gets a store of its own. */
export async function isPrivate(url: string): Promise<boolean> {
  return (await SCHEMES.find(({ prefix }) => url.startsWith(prefix))?.isPrivate(url)) ?? false;
}

/** Kind and location of a store, for people; contains no secret. */
export async function describeStorage(url: string): Promise<string> {
  return (await SCHEMES.find(({ prefix }) => url.startsWith(prefix))?.describe(url)) ?? '';
}

/** Hosts and database name, without user, password and options. */
function withoutCredentials(url: string): string {
  const [address = ''] = url.replace(/^[^/]*\/\//, '').split('?');
  return address.slice(address.lastIndexOf('@') + 1);
}

/**
 * The database's name in OpenTelemetry's semantic conventions.
 * @throws TypeError for an unknown scheme
 */
export function systemOf(url: string): string {
  return schemeOf(url).system;
}

/** Whether startup waits for an unreachable database instead of failing. */
export function mayBeAway(url: string): boolean {
  return SCHEMES.some((scheme) => scheme.mayBeAway && url.startsWith(scheme.prefix));
}

/** @throws TypeError for an unknown scheme; the adapter's error when the database cannot be opened */
export async function openStorage(url: string, options: StorageOptions): Promise<Storage> {
  return schemeOf(url).open(url, options);
}

/**
 * Opens a store for a read-only examination: creates nothing and migrates nothing.
 *
 * @throws TypeError for an unknown scheme; IncompatibleStorageError or ServiceError when it cannot be examined
 */
export async function examineStorage(url: string, options: StorageOptions): Promise<Examination> {
  return schemeOf(url).examine(url, options);
}

function schemeOf(url: string): Scheme {
  const scheme = SCHEMES.find(({ prefix }) => url.startsWith(prefix));
  if (scheme === undefined)
    throw new TypeError(`No store supports this URL; allowed schemes: ${STORAGE_SCHEMES.join(', ')}.`);
  return scheme;
}
