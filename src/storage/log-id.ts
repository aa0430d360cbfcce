import { randomBytes } from 'node:crypto';

/** Tells a log of changes from another of the same map: lower-case hexadecimal digits. */
export function newLogId(): string {
  return randomBytes(6).toString('hex');
}
