/** Streaming zip archives: complete, on demand, with nothing left open. */

import { setImmediate as turn } from 'node:timers/promises';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { openZip } from '../../../src/transfer/zip/reader.ts';
import { writeZip } from '../../../src/transfer/zip/writer.ts';
import { until } from '../../support/until.ts';
import { fileOf, unzipped } from '../../support/zip.ts';

/** A content that counts reads. */
function contentOf(chunks: number, { failsAt = -1 } = {}) {
  const state = { read: 0, isClosed: false };
  async function* read() {
    try {
      for (let index = 0; index < chunks; index += 1) {
        if (index === failsAt) throw new Error('The store has gone.');
        state.read += 1;
        yield randomBytes(65_536);
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, content: read() };
}

async function written(...given: Parameters<typeof writeZip>): Promise<Buffer> {
  const chunks = [];
  for await (const chunk of writeZip(...given)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it('writes archives that Python, our reader and a directory-based reader accept', async () => {
  const one = async function* (pieces: readonly Buffer[]) {
    yield* pieces;
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }), { maxLength: 4 }),
      fc.string({ unit: 'grapheme', maxLength: 50 }),
      async (files, text) => {
        const contents = files.map((pieces) => pieces.map((piece) => Buffer.from(piece)));
        const bytes = await written([
          { name: 'texte/é.txt', content: text.toWellFormed() },
          ...contents.map((pieces, index) => ({ name: `${index}`, content: one(pieces) })),
        ]);
        const archive = await openZip(fileOf(bytes), { maxExpandedBytes: 1_000_000 });
        const found = [];
        for (const name of archive.names) {
          const chunks = [];
          for await (const chunk of archive.open(name)) chunks.push(chunk);
          found.push(Buffer.concat(chunks).toString('hex'));
        }
        expect(archive.names[0]).toBe('texte/é.txt');
        expect(found).toEqual(
          [Buffer.from(text.toWellFormed()), ...contents.map((each) => Buffer.concat(each))].map((each) =>
            each.toString('hex'),
          ),
        );
        expect(unzipped(bytes).get('texte/é.txt')).toBe(text.toWellFormed());
      },
    ),
    { numRuns: 50 },
  );
});

it('writes large archives that Python accepts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zip-'));
  try {
    writeFileSync(
      join(folder, 'a.zip'),
      await written([
        { name: 'small', content: 'x' },
        { name: 'large', content: contentOf(100).content },
      ]),
    );
    const script =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), [i.file_size for i in z.infolist()])';
    expect(execFileSync('python3', ['-c', script, join(folder, 'a.zip')]).toString()).toBe(
      'None [1, 6553600]\n',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('writes identical archives for identical contents', async () => {
  const files = () => [{ name: 'a', content: 'b' }];
  expect(await written(files())).toEqual(await written(files()));
});

it('reads contents on demand', async () => {
  const { state, content } = contentOf(1000);
  const chunks = writeZip([{ name: 'a', content }]);
  expect(state.read).toBe(0);
  for (let taken = 0; taken < 10; taken += 1) await chunks.next();
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(state.read).toBeGreaterThan(1);
  expect(state.read).toBeLessThan(20);
  await chunks.return();
  await until(() => state.isClosed, 'the content is closed');
  expect(state.read).toBeLessThan(20);
});

it('fails with the error of a content', async () => {
  for (const failsAt of [0, 1, 50]) {
    const { state, content } = contentOf(100, { failsAt });
    await expect(written([{ name: 'a', content }])).rejects.toThrow('The store has gone.');
    expect(state).toEqual({ read: failsAt, isClosed: true });
  }
});
