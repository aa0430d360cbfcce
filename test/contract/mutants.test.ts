/** The storage suite detects every adapter that breaks a promise of the port. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { changedSince, leftToFull, sampled } from '../support/scope.ts';
import { itUnless } from '../support/skip.ts';
import { firstFailure, IN_MEMORY, mutantAdapter, MUTANTS } from './mutants.ts';
import { withFullScan } from './mutants/full-scan.ts';
import { fileAdapter } from './sqlite-file.ts';
import { SCALE_CASES } from './storage/search-scale.ts';
import { SHAPE_CASES } from './storage/search-shapes.ts';

const folder = mkdtempSync(join(tmpdir(), 'storage-mutants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFile = fileAdapter(folder);

/** Slow with a full scan. No mutant needs them to be detected. */
const LARGE = [...SHAPE_CASES, ...SCALE_CASES];

/** The paths that decide whether a mutant is detected. */
const PORT_AND_SUITE = ['test/contract', 'src/storage/*'];

// A failure is enough: shrinking to the shortest example only takes time.
fc.configureGlobal({ endOnFailure: true });

describe('the storage suite', () => {
  // sqlite.test.ts and sqlite-search.test.ts run all other topics on the same adapters.
  it('passes an intact adapter whose data is opened again', async () => {
    expect(await firstFailure(inFile, 'reopening', { onlyThat: true })).toBeNull();
  });

  it.each(['search', 'clusters', 'columns of locations'])(
    'passes the full-scan adapter that mutants are based on: %s',
    async (topic) => {
      const adapter = mutantAdapter({ name: '', topic, breaks: (good) => withFullScan(good) }, IN_MEMORY);
      expect(await firstFailure(adapter, topic, { onlyThat: true, without: LARGE })).toBeNull();
    },
  );

  it('has mutants with unique names', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
    expect(MUTANTS.length).toBeGreaterThanOrEqual(20);
  });

  const chosen = changedSince(...PORT_AND_SUITE) ? new Set(MUTANTS) : sampled(MUTANTS, 5);
  for (const mutant of MUTANTS) {
    const reason = chosen.has(mutant) ? undefined : leftToFull('mutants that this commit does not sample');
    itUnless(reason, `detects: ${mutant.name}`, async () => {
      const good = mutant.persistent ? inFile : IN_MEMORY;
      const failure = await firstFailure(mutantAdapter(mutant, good), mutant.topic, { without: LARGE });
      if (failure === null) throw new Error('Every case of the suite passes on this broken adapter.');
      console.log(`detected by: ${failure.topic} > ${failure.case}`);
    });
  }
});
