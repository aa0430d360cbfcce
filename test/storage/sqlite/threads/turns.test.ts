/** Long reads of a store in memory: on the event loop, which runs between the steps. */

import { setImmediate as nextTurn } from 'node:timers/promises';

import { badUserInput } from '../../../../src/errors.ts';
import type { Database } from '../../../../src/storage/sqlite/database.ts';
import type { ReadLimits, ResumableScan, Tasks } from '../../../../src/storage/sqlite/threads/long-reads.ts';
import { openLongReads } from '../../../../src/storage/sqlite/threads/threaded-reads.ts';
import { TurnReads } from '../../../../src/storage/sqlite/threads/long-reads.ts';
import { expectUnavailable, rejectionOf } from '../../../contract/storage/fixtures.ts';
import { openConnection } from '../temporary.ts';
import { OWNERS } from './tasks.ts';

const NO_LIMITS: ReadLimits = { timeoutMs: 60_000 };

let connection: Database;
let reads: TurnReads;
let turns = 0;
let cleaned = 0;

const TASKS: Tasks = {
  *owners(reader): ResumableScan {
    yield;
    const rows = [...reader.iterate(OWNERS)];
    return rows.map(({ name }) => name);
  },

  /** Steps of two milliseconds, until the event loop had some turns, or for a second. */
  *untilTurns(): ResumableScan {
    try {
      for (let step = 0; step < 500 && turns < 10; step += 1) {
        const until = performance.now() + 2;
        while (performance.now() < until);
        yield;
      }
      return turns >= 10;
    } finally {
      cleaned += 1;
    }
  },

  *endless(): ResumableScan {
    try {
      for (;;) yield;
    } finally {
      cleaned += 1;
    }
  },

  *refuse(): ResumableScan {
    yield;
    throw badUserInput('no');
  },
};

beforeAll(async () => {
  connection = await openConnection(':memory:');
  reads = new TurnReads(connection, () => Promise.resolve(TASKS));
});
beforeEach(() => {
  turns = 0;
  cleaned = 0;
});
afterAll(() => connection.close());

it('is used for long reads of a store in memory', () => {
  expect(openLongReads(connection, { threads: 1 })).toBeInstanceOf(TurnReads);
});

it('returns results and errors', async () => {
  connection.run("INSERT INTO owners (id, name, created_at) VALUES ('1', 'one', 0), ('2', 'two', 0)");
  expect(await reads.run('owners', {}, NO_LIMITS)).toEqual(['one', 'two']);
  expect(await rejectionOf(reads.run('refuse', {}, NO_LIMITS))).toEqual(badUserInput('no'));
});

it('yields to the event loop between steps', async () => {
  const counting = new AbortController();
  const count = async () => {
    while (!counting.signal.aborted) {
      await nextTurn();
      turns += 1;
    }
  };
  const counted = count();
  expect(await reads.run('untilTurns', {}, NO_LIMITS)).toBe(true);
  counting.abort();
  await counted;
});

it('stops when its caller disconnects or its time is up', async () => {
  const reason = new Error('controller');
  const controller = new AbortController();
  const result = reads.run('endless', {}, { ...NO_LIMITS, signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  expect(await rejectionOf(result)).toBe(reason);
  expect(cleaned).toBe(1);

  await expectUnavailable(reads.run('endless', {}, { timeoutMs: 20 }));
  expect(cleaned).toBe(2);

  const signal = AbortSignal.abort(reason);
  expect(await rejectionOf(reads.run('endless', {}, { ...NO_LIMITS, signal }))).toBe(reason);
});

it('stops when the store is closed', async () => {
  const closing = await openConnection(':memory:');
  const result = new TurnReads(closing, () => Promise.resolve(TASKS)).run('endless', {}, NO_LIMITS);
  setImmediate(() => void closing.close());
  await expectUnavailable(result);
});
