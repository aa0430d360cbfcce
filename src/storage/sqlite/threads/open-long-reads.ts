import type { Connection } from '../database.ts';
import type { LongReads } from './long-reads.ts';
import type { ThreadedOptions } from './threaded-reads.ts';
import { ThreadedReads } from './threaded-reads.ts';
import { TurnReads } from './turn-reads.ts';

/** Long reads of one kind, which have threads of their own. They end with the connection. */
export function openLongReads(connection: Connection, options: ThreadedOptions): LongReads {
  const { path } = connection;
  if (path === null) return new TurnReads(connection, async () => (await import('./tasks.ts')).TASKS);
  const reads = new ThreadedReads(connection, path, options);
  connection.accompany(reads);
  return reads;
}
