/** The finder of canaries finds one that is there. A search that finds nothing proves nothing otherwise. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { pino } from 'pino';

import { findCanaries, findInFiles, makeCanary } from '../../support/canaries.ts';
import { createFolder } from '../../support/program.ts';

const secret = makeCanary('mlt_');
const canaries = { secret, another: makeCanary() };

describe('the finder of canaries', () => {
  it('finds one in a line that a logger writes', () => {
    const lines: string[] = [];
    pino({}, { write: (line: string) => void lines.push(line) }).info({ request: { secret } }, 'Answered');
    expect(findCanaries(canaries, lines.join(''))).toEqual(['secret']);
  });

  it.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(`a=${secret}&b`)],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ...['', 'a', 'ab', 'user:'].flatMap((before): [string, string][] => [
      [`in base64 behind ${before.length}`, Buffer.from(`${before}${secret}@`).toString('base64')],
      [`in base64url behind ${before.length}`, Buffer.from(`${before}${secret}@`).toString('base64url')],
    ]),
  ])('finds one %s', (_form, text) => {
    expect(findCanaries(canaries, `before ${text} after`)).toEqual(['secret']);
  });

  it('finds one in UTF-16, in files of folders, and in what is zipped', () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'utf-16'), Buffer.from(`x${secret}`, 'utf16le'));
    writeFileSync(join(folder, 'inner', 'zipped'), gzipSync(`{"a":"${secret}"}`));
    writeFileSync(join(folder, 'nothing'), secret.slice(0, -1));
    expect(findInFiles(canaries, folder)).toEqual({ 'utf-16': ['secret'], zipped: ['secret'] });
  });

  it('finds nothing where there is none', () => {
    expect(findCanaries(canaries, `canary ${secret.slice(1)}`)).toEqual([]);
  });
});
