/** Secrets that are like no other text, and the search for them in whatever a program leaves behind. */

import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** By name, so that a finding does not repeat the secret. */
export type Canaries = Readonly<Record<string, string>>;

/** Letters and digits alone, so that JSON and URLs write it as it is. */
export function makeCanary(prefix = ''): string {
  return `${prefix}canary${randomBytes(18).toString('hex')}`;
}

/** The names of those that stand in the bytes: as they are, in UTF-16, in hexadecimal, or within something in base64. */
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

/** What is the same wherever the secret begins within a group of three bytes, in both alphabets. */
function base64Of(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.from('x'.repeat(before) + secret).toString('base64url');
    const core = encoded.slice(before === 0 ? 0 : before + 1, -4);
    return [core, core.replaceAll('-', '+').replaceAll('_', '/')];
  });
}

/** Each file below a folder with the canaries in it, also in what is gzip'd; files without any are left out. */
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
