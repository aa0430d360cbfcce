/** The canary search finds planted canaries; otherwise the canary tests could not fail. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { pino } from 'pino';

import { findCanaries, findInFiles, makeCanary } from '../../support/canaries.ts';
import { createFolder } from '../../support/program.ts';

const secret = makeCanary('mlt_');
const canaries = { secret, another: makeCanary() };

describe('the canary search', () => {
  it('finds a canary in a log line', () => {
    const lines: string[] = [];
    pino({}, { write: (line: string) => void lines.push(line) }).info({ request: { secret } }, 'Answered');
    expect(findCanaries(canaries, lines.join(''))).toEqual(['secret']);
  });

  it.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(`a=${secret}&b`)],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ...['', 'a', 'ab', 'user:'].flatMap((before): [string, string][] => [
      [`in base64 after ${before.length}`, Buffer.from(`${before}${secret}@`).toString('base64')],
      [`in base64url after ${before.length}`, Buffer.from(`${before}${secret}@`).toString('base64url')],
    ]),
  ])('finds a canary %s', (_form, text) => {
    expect(findCanaries(canaries, `before ${text} after`)).toEqual(['secret']);
  });

  it('finds a canary in UTF-16, in nested files and in zip archives', () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'utf-16'), Buffer.from(`x${secret}`, 'utf16le'));
    writeFileSync(join(folder, 'inner', 'zipped'), gzipSync(`{"a":"${secret}"}`));
    writeFileSync(join(folder, 'nothing'), secret.slice(0, -1));
    expect(findInFiles(canaries, folder)).toEqual({ 'utf-16': ['secret'], zipped: ['secret'] });
  });

  it('finds nothing in text without a canary', () => {
    expect(findCanaries(canaries, `canary ${secret.slice(1)}`)).toEqual([]);
  });
});
