import { ObjectId } from 'mongodb';

/**
 * Makes a version of a map's list that never comes again, so that nobody takes a later state for the one that it read.
 * A number that counts would come again: after a failover that took a change back, and in a copy that is begun again.
 */
export function newVersion(): string {
  return new ObjectId().toHexString();
}
