/** The storage suite finds out every adapter that breaks a promise of the port. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { changedSince, leftToFull, sampled } from '../support/scope.ts';
import { itUnless } from '../support/skip.ts';
import { firstFailure, IN_MEMORY, mutantAdapter, MUTANTS } from './mutants.ts';
import { lookingAtAll } from './mutants/look-at-all.ts';
import { fileAdapter } from './sqlite-file.ts';
import { SCALE_CASES } from './storage/search-scale.ts';
import { SHAPE_CASES } from './storage/search-shapes.ts';

const folder = mkdtempSync(join(tmpdir(), 'storage-mutants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFile = fileAdapter(folder);

/** A look at every location takes long in these. No mutant needs them to be found out. */
const LARGE = [...SHAPE_CASES, ...SCALE_CASES];

/** What decides whether a mutant is found out. */
const PORT_AND_SUITE = ['test/contract', 'src/storage/*'];

// That a case fails is enough: nobody needs its shortest example.
fc.configureGlobal({ endOnFailure: true });

describe('the storage suite', () => {
  // All other topics: sqlite.test.ts and sqlite-finding.test.ts, on the same adapters.
  it('passes an adapter that is not broken, when its data is opened again', async () => {
    expect(await firstFailure(inFile, 'reopening', { onlyThat: true })).toBeNull();
  });

  it.each(['finding', 'clusters'])(
    'passes an adapter that looks at every location, of which mutants are made: %s',
    async (topic) => {
      const adapter = mutantAdapter({ name: '', topic, breaks: (good) => lookingAtAll(good) }, IN_MEMORY);
      expect(await firstFailure(adapter, topic, { onlyThat: true, without: LARGE })).toBeNull();
    },
  );

  it('has mutants with names of their own', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
    expect(MUTANTS.length).toBeGreaterThanOrEqual(20);
  });

  const chosen = changedSince(...PORT_AND_SUITE) ? new Set(MUTANTS) : sampled(MUTANTS, 5);
  for (const mutant of MUTANTS) {
    const reason = chosen.has(mutant) ? undefined : leftToFull('mutants that this commit does not sample');
    itUnless(reason, `finds out: ${mutant.name}`, async () => {
      const good = mutant.persistent ? inFile : IN_MEMORY;
      const failure = await firstFailure(mutantAdapter(mutant, good), mutant.topic, { without: LARGE });
      if (failure === null) throw new Error('Every case of the suite passes on this broken adapter.');
      console.log(`found out by: ${failure.topic} > ${failure.case}`);
    });
  }
});
