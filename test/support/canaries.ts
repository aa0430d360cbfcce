/** Unique secrets, and a search for them in what a program leaves behind. */

import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** By name, so that a report does not repeat the secret. */
export type Canaries = Readonly<Record<string, string>>;

/** Only letters and digits, so that JSON and URLs do not escape it. */
export function makeCanary(prefix = ''): string {
  return `${prefix}canary${randomBytes(18).toString('hex')}`;
}

/** The names of the canaries in the bytes: plain, in UTF-16, in hexadecimal, or within base64. */
export function findCanaries(canaries: Canaries, bytes: Uint8Array | string): string[] {
  const buffer = Buffer.from(bytes);
  return Object.entries(canaries)
    .filter(([, secret]) => formsOf(secret).some((form) => buffer.includes(form)))
    .map(([name]) => name);
}

function formsOf(secret: string): Buffer[] {
  const texts = [secret, Buffer.from(secret).toString('hex'), ...base64Of(secret)];
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(secret, 'utf16le')];
}

/** The parts of its base64 that do not depend on the neighbouring bytes, for each alignment and both alphabets. */
function base64Of(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.from('x'.repeat(before) + secret).toString('base64url');
    const core = encoded.slice(before === 0 ? 0 : before + 1, -4);
    return [core, core.replaceAll('-', '+').replaceAll('_', '/')];
  });
}

/** The files below a folder that contain canaries, also gzipped, with their names. */
export function findInFiles(canaries: Canaries, folder: string): Record<string, string[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry: Dirent) =>
    entry.isFile(),
  );
  const found: Record<string, string[]> = {};
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name));
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const names = new Set([
      ...findCanaries(canaries, bytes),
      ...(isZipped ? findCanaries(canaries, gunzipSync(bytes)) : []),
    ]);
    if (names.size > 0) found[name] = [...names].sort();
  }
  return found;
}
