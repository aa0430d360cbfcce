/** Reads a backup line by line, and checks that it is complete. */

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

import type { BackupEnd, BackupHeader, BackupItem, BackupLine } from './format.ts';
import { BackupFileError, MAX_LINE_BYTES, parseLine } from './format.ts';

/** Each call opens the file at its start. */
export type OpenFile = () => Readable;

const LF = 10;

export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'item'; readonly item: BackupItem }
  /** The last part: the file is complete. */
  | { readonly kind: 'end'; readonly sha256: string };

/**
 * Yields the header, the items and the end. Nothing is verified until the end has been yielded.
 *
 * @throws BackupFileError for a file that is truncated, damaged, not a backup or of a newer release; the error of a file
 *   that cannot be read
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
        throw new BackupFileError('is damaged: its checksum does not match its content.');
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

/** The uncompressed lines with their line ends. Holds one line in memory. */
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
    if (length > MAX_LINE_BYTES) throw new BackupFileError('is not a backup of map-locations.');
  }
  if (length > 0) throw truncated();
}

async function* uncompressed(open: OpenFile): AsyncGenerator<Buffer> {
  let compressedBytes = 0;
  let isCompressed = false;
  const gunzip = createGunzip();
  // Errors are thrown by the loop below.
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
  // gunzip ignores trailing zeros.
  if (gunzip.bytesWritten !== compressedBytes) {
    throw new BackupFileError('is damaged: data follows its end.');
  }
}

/**
 * @param isCompressed whether any of the file could be uncompressed
 * @returns a BackupFileError for gunzip's errors; any other error unchanged
 */
function fileErrorOf(error: unknown, isCompressed: boolean): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return truncated();
  if (!code.startsWith('Z_')) return error;
  const { message } = error as Error;
  const isForeign = !isCompressed && message === 'incorrect header check';
  return new BackupFileError(
    isForeign ? 'is not a backup of map-locations, or is damaged.' : `is damaged: ${message}.`,
  );
}

/** Checks that items follow what they refer to, and counts them. Memory grows with owners and maps, not locations. */
class References {
  readonly #owners = new Set<string>();
  readonly #maps = new Set<string>();
  #currentMap: string | null = null;
  #locations = 0;

  /** @throws BackupFileError naming the line */
  note(item: BackupItem, line: number): void {
    const assert = (isRight: boolean, what: string) => {
      if (!isRight)
        throw new BackupFileError(`is damaged: line ${line} refers to ${what} that does not precede it.`);
    };
    switch (item.kind) {
      case 'meta':
        return;
      case 'owner':
        this.#owners.add(item.owner.id);
        return;
      case 'account':
        assert(this.#owners.has(item.account.ownerId), 'an owner');
        return;
      case 'map':
        for (const { ownerId } of [item.map, ...item.map.members]) {
          assert(this.#owners.has(ownerId), 'an owner');
        }
        this.#maps.add(item.map.id);
        this.#currentMap = item.map.id;
        return;
      case 'logo':
        assert(item.logo.mapId === this.#currentMap, 'a map');
        return;
      case 'location':
        assert(item.location.mapId === this.#currentMap, 'a map');
        this.#locations += 1;
        return;
      case 'idempotency':
        assert(
          item.scope.mapId === this.#currentMap && item.record.location.mapId === this.#currentMap,
          'a map',
        );
        return;
      case 'webhook':
        assert(item.webhook.mapId === this.#currentMap, 'a map');
        return;
      case 'invitation':
        assert(item.invitation.mapId === this.#currentMap, 'a map');
        assert(this.#owners.has(item.invitation.createdBy), 'an owner');
        return;
      case 'history':
        assert(item.history.mapId === this.#currentMap, 'a map');
        return;
      case 'changes':
      case 'version':
        assert(item.mapId === this.#currentMap, 'a map');
        return;
      case 'token':
        assert(this.#owners.has(item.token.ownerId), 'an owner');
        assert(item.token.mapId === null || this.#maps.has(item.token.mapId), 'a map');
    }
  }

  /** @throws BackupFileError if the end has other counts */
  assertCounts({ maps, locations }: BackupEnd): void {
    if (maps !== this.#maps.size || locations !== this.#locations) {
      throw new BackupFileError(
        'is damaged: the counts in its last line do not match its maps and locations.',
      );
    }
  }
}
