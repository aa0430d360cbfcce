/** Reading zip archives, their limits and their errors. */

import { randomBytes } from 'node:crypto';

import type { ByteSource } from '../../../src/transfer/reader.ts';
import { UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import { ArchiveDamage, openZip } from '../../../src/transfer/zip/reader.ts';
import { fileOf, pipeOf, zipOf } from '../../support/zip.ts';

const LIMITS = { maxExpandedBytes: 1024 * 1024 * 1024 };
const NOISE = randomBytes(400_000);
const SPACES = Buffer.alloc(8 * 1024 * 1024, ' ');

async function readFile(source: ByteSource, name: string, limits = LIMITS): Promise<Buffer> {
  const archive = await openZip(source, limits);
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive.open(name)) chunks.push(chunk);
  await archive.close();
  return Buffer.concat(chunks);
}

it('reads the names and contents of files', async () => {
  const bytes = zipOf([
    { name: 'folder/', content: '' },
    { name: 'folder/é.txt', content: 'stored', isStored: true },
    { name: 'noise', content: NOISE },
    { name: 'empty', content: '' },
  ]);
  const archive = await openZip(fileOf(bytes), LIMITS);
  expect(archive.names).toEqual(['folder/é.txt', 'noise', 'empty']);
  await archive.close();
  expect((await readFile(fileOf(bytes), 'folder/é.txt')).toString()).toBe('stored');
  expect((await readFile(fileOf(bytes), 'noise')).equals(NOISE)).toBe(true);
  expect((await readFile(fileOf(bytes), 'empty')).length).toBe(0);
});

it('reads an archive from a pipe', async () => {
  const bytes = zipOf([{ name: 'noise', content: NOISE }]);
  const pieces = [bytes.subarray(0, 7), bytes.subarray(7, 100_000), bytes.subarray(100_000)];
  expect((await readFile(pipeOf(pieces), 'noise')).equals(NOISE)).toBe(true);
});

it('refuses a pipe that is too large for memory', async () => {
  const megabyte = Buffer.alloc(1024 * 1024);
  const chunks = (function* () {
    for (;;) yield megabyte;
  })();
  await expect(openZip(pipeOf(chunks), LIMITS)).rejects.toThrow(
    /comes from a pipe and is over 67108864 bytes/,
  );
});

it('reads on demand, and stops when the iteration ends', async () => {
  const source = fileOf(zipOf([{ name: 'large', content: randomBytes(8 * 1024 * 1024) }]));
  const archive = await openZip(source, LIMITS);
  const chunks = archive.open('large');
  await chunks.next();
  expect(source.countRead()).toBeLessThan(2 * 1024 * 1024);
  await chunks.return();
  const read = source.countRead();
  await archive.close();
  expect(source.countRead()).toBe(read);
});

it('does not block other readers while readers pause', async () => {
  const bytes = zipOf([{ name: 'noise', content: NOISE }]);
  const paused = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const chunks = (await openZip(fileOf(bytes), LIMITS)).open('noise');
      await chunks.next();
      return chunks;
    }),
  );
  expect((await readFile(fileOf(bytes), 'noise')).length).toBe(NOISE.length);
  for (const chunks of paused) await chunks.return();
});

describe('limits', () => {
  const bomb = zipOf([{ name: 'bomb', content: SPACES }]);
  const lying = zipOf([{ name: 'bomb', content: SPACES, saidSize: 1000 }]);

  it('refuses a file with a declared size over the limit', async () => {
    const read = readFile(fileOf(bomb), 'bomb');
    await expect(read).rejects.toThrow(UnreadableFileError);
    await expect(read).rejects.toThrow(`over ${200 * bomb.length} bytes, which is 200 times its size`);
  });

  it('stops when a file exceeds its declared size', async () => {
    const archive = await openZip(fileOf(lying), LIMITS);
    let size = 0;
    const read = async () => {
      for await (const chunk of archive.open('bomb')) size += chunk.length;
    };
    await expect(read()).rejects.toThrow(ArchiveDamage);
    expect(size).toBeLessThan(201 * lying.length);
  });

  it('limits the total of all files of an archive', async () => {
    const bytes = zipOf([
      { name: 'a', content: NOISE },
      { name: 'b', content: NOISE },
    ]);
    const archive = await openZip(fileOf(bytes), { maxExpandedBytes: 700_000 });
    for await (const _ of archive.open('a'));
    await expect(archive.open('b').next()).rejects.toThrow('over 700000 bytes (IMPORT_MAX_EXPANDED)');
  });

  it('refuses too many files', async () => {
    const bytes = zipOf(Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}`, content: '' })));
    await expect(openZip(fileOf(bytes), LIMITS)).rejects.toThrow('over 10000 files');
  });
});

describe('damage', () => {
  const good = zipOf([{ name: 'noise', content: NOISE }]);

  it('is detected by the checksum', async () => {
    const bytes = Buffer.from(good);
    bytes.writeUInt8(bytes.readUInt8(200_000) ^ 0x10, 200_000);
    await expect(readFile(fileOf(bytes), 'noise')).rejects.toThrow(ArchiveDamage);
  });

  it('is reported without waiting if not even the first byte can be unpacked', async () => {
    const bytes = Buffer.from(good);
    bytes.writeUInt8(0, 2);
    await expect(readFile(fileOf(bytes), 'noise')).rejects.toThrow(ArchiveDamage);
  });

  it('is reported after all readable bytes', async () => {
    const bytes = Buffer.from(zipOf([{ name: 'text', content: NOISE.toString('hex') }]));
    bytes.fill(0xff, 300_000, 301_000);
    const archive = await openZip(fileOf(bytes), LIMITS);
    let size = 0;
    const read = async () => {
      for await (const chunk of archive.open('text')) size += chunk.length;
    };
    await expect(read()).rejects.toThrow(ArchiveDamage);
    expect(size).toBeGreaterThan(400_000);
  });

  it.each([
    ['cut off', good.subarray(0, 300_000)],
    ['two bytes', Buffer.from('PK')],
    ['empty', Buffer.alloc(0)],
  ])('refuses an archive without a directory: %s', async (_, bytes) => {
    await expect(openZip(fileOf(bytes), LIMITS)).rejects.toThrow(UnreadableFileError);
  });

  it.each([
    ['text', Buffer.from('Name,City\n'), 'The file is not a zip archive, as .xlsx and .kmz files are.'],
    ['.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old Excel file (.xls) or encrypted'],
  ])('refuses a file that is not an archive: %s', async (_, bytes, message) => {
    await expect(openZip(fileOf(bytes), LIMITS)).rejects.toThrow(message);
  });

  it('refuses an encrypted file', async () => {
    const bytes = zipOf([{ name: 'secret', content: 'x', isEncrypted: true }]);
    await expect(readFile(fileOf(bytes), 'secret')).rejects.toThrow('save it without a password');
  });

  it('reports a read error', async () => {
    const source: ByteSource = {
      ...fileOf(good),
      read: () => Promise.reject(new Error('EIO: i/o error')),
    };
    await expect(openZip(source, LIMITS)).rejects.toThrow('EIO: i/o error');
  });
});
