/** Reads a backup line by line, and finds out whether it is whole. */

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

import type { BackupHeader, BackupItem, BackupLine } from './format.ts';
import { BackupFileError, MAX_LINE_BYTES, parseLine } from './format.ts';
import { References } from './references.ts';

/** Opens the file at its beginning, each time that it is called. */
export type OpenFile = () => Readable;

const LF = 10;

export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'item'; readonly item: BackupItem }
  /** The last one: the file is whole. */
  | { readonly kind: 'end'; readonly sha256: string };

/**
 * Gives the header, the items and the end. Only when it has given the end is anything that it gave known to be right.
 *
 * @throws BackupFileError for a file that is truncated, was changed, is no backup or is a newer release's; the error of
 *   a file that cannot be read
 */
export async function* readBackup(open: OpenFile): AsyncGenerator<BackupPart> {
  const hash = createHash('sha256');
  const references = new References();
  let number = 0;
  let isEnded = false;
  for await (const bytes of linesOf(open)) {
    number += 1;
    if (isEnded) throw new BackupFileError(`is damaged: line ${number} follows its end.`);
    const line = parseLine(bytes.toString('utf8', 0, bytes.length - 1), number);
    assertPlace(line, number);
    if (line.kind === 'end') {
      if (line.sha256 !== hash.digest('hex')) {
        throw new BackupFileError('is damaged: its checksum is not that of what it holds.');
      }
      references.assertCounts(line);
      isEnded = true;
      yield { kind: 'end', sha256: line.sha256 };
      continue;
    }
    hash.update(bytes);
    if (line.kind === 'header') yield { kind: 'header', header: line };
    else {
      references.note(line, number);
      yield { kind: 'item', item: line };
    }
  }
  if (!isEnded) throw truncated();
}

function assertPlace({ kind }: BackupLine, number: number): void {
  if ((kind === 'header') === (number === 1)) return;
  throw new BackupFileError(`is damaged: line ${number} cannot be a ${kind}.`);
}

function truncated(): BackupFileError {
  return new BackupFileError('is truncated: its end is missing.');
}

/** The uncompressed lines, each with its line end. Memory is bounded by one line. */
async function* linesOf(open: OpenFile): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of uncompressed(open)) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      const line = chunk.subarray(start, end + 1);
      yield parts.length === 0 ? line : Buffer.concat([...parts, line]);
      [parts, length, start] = [[], 0, end + 1];
    }
    if (start === chunk.length) continue;
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES) throw new BackupFileError('is no backup of map-locations.');
  }
  if (length > 0) throw truncated();
}

async function* uncompressed(open: OpenFile): AsyncGenerator<Buffer> {
  let compressedBytes = 0;
  let isCompressed = false;
  const gunzip = createGunzip();
  // Its errors come out of the loop.
  const source = open().on('data', ({ length }: Buffer) => (compressedBytes += length));
  pipeline(source, gunzip, () => {});
  try {
    for await (const chunk of gunzip) {
      isCompressed = true;
      yield chunk as Buffer;
    }
  } catch (error) {
    throw fileErrorOf(error, isCompressed);
  }
  // Zeros that follow the end are no error to gunzip.
  if (gunzip.bytesWritten !== compressedBytes) {
    throw new BackupFileError('is damaged: something follows its end.');
  }
}

/**
 * @param isCompressed whether anything of it could be uncompressed
 * @returns what gunzip's error says of the file; any other error as it is
 */
function fileErrorOf(error: unknown, isCompressed: boolean): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return truncated();
  if (!code.startsWith('Z_')) return error;
  const { message } = error as Error;
  const isForeign = !isCompressed && message === 'incorrect header check';
  return new BackupFileError(
    isForeign ? 'is no backup of map-locations, or is damaged.' : `is damaged: ${message}.`,
  );
}
