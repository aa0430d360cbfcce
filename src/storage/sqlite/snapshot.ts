/**
 * One moment of everything in SQLite. A connection of its own reads the file in one transaction, so that what others
 * write meanwhile is not in it. Until the end SQLite cannot empty its log.
 */

import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import type { StoredItem } from '../storage.ts';
import type { Connection } from './database.ts';
import { FileReader } from './engine/file-reader.ts';
import { eachItem } from './walk.ts';

export async function* snapshot(connection: Connection, expiringAfter: number): AsyncGenerator<StoredItem> {
  connection.assertUsable();
  if (connection.path === null) {
    // Only one connection has what is in memory. So all of it is read before anybody else can write.
    yield* connection.read(() => [...eachItem(connection, expiringAfter)]);
    return;
  }
  let reader: FileReader | null = null;
  try {
    reader = new FileReader(connection.path);
    // It has opened the file at the path, which must be the one that the connection has.
    connection.assertFileInPlace();
    reader.begin();
    for (const item of eachItem(reader, expiringAfter)) {
      connection.assertUsable();
      yield item;
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
    }
  } catch (error) {
    throw connection.failure(error);
  } finally {
    reader?.end();
    reader?.close();
  }
}
