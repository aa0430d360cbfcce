/** The build replaces `node:buffer` with this module: the part of it that the file readers use. */

// The slash selects the npm package, not Node's module.
import { Buffer } from 'buffer/';

export { Buffer };

// csv-parse expects it as a global.
Object.assign(globalThis, { Buffer });

/** Throws on invalid UTF-8. */
const strict = new TextDecoder('utf-8', { fatal: true });

export function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
