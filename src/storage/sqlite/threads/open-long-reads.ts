import type { Connection } from '../connection.ts';
import type { LongReads } from './long-reads.ts';
import { ThreadedReads } from './threaded-reads.ts';
import { TurnReads } from './turn-reads.ts';

/** Threads of each kind when the caller says nothing. */
const THREADS = 2;

/**
 * The long reads of a store. They end with the connection.
 *
 * @param threads the most at once for results, and as many for streams
 */
export function openLongReads(connection: Connection, threads = THREADS): LongReads {
  const { path } = connection;
  if (path === null) return new TurnReads(connection, async () => (await import('./tasks.ts')).TASKS);
  const reads = new ThreadedReads(connection, path, { threads });
  connection.accompany(reads);
  return reads;
}
