/** `node:buffer` for a browser: what the readers of files use of it. The build puts it in the place of Node's own. */

// The slash tells the package from Node's module.
import { Buffer } from 'buffer/';

export { Buffer };

// csv-parse expects it where Node has it.
Object.assign(globalThis, { Buffer });

/** Fatal, so it throws for what is not UTF-8; each call begins anew. */
const strict = new TextDecoder('utf-8', { fatal: true });

export function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
