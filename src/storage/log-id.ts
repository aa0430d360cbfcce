import { randomBytes } from 'node:crypto';

/** Identifies a log of changes: 12 lower-case hexadecimal digits. */
export function newLogId(): string {
  return randomBytes(6).toString('hex');
}
