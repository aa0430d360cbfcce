/** Long reads in threads: results, errors and cleanup. */

import { renameSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../../../../src/errors.ts';
import { fileOfPackage } from '../../../../src/lib/package-files.ts';
import type { ReadLimits } from '../../../../src/storage/sqlite/threads/long-reads.ts';
import { ThreadedReads } from '../../../../src/storage/sqlite/threads/threaded-reads.ts';
import { expectUnavailable, rejectionOf } from '../../../contract/storage/fixtures.ts';
import { temporaryFolder } from '../temporary.ts';
import type { OpenFile } from './files.ts';
import { openFile, PROGRAM } from './files.ts';
import type { Signs } from './signs.ts';
import { createSigns } from './signs.ts';

/** More than any machine needs; only a failing test waits that long. */
const LONG_MS = 60_000;
const NO_LIMITS: ReadLimits = { timeoutMs: LONG_MS };
const folder = temporaryFolder();
/** Starts on a signal. */
const SLOW_PROGRAM = new URL('./slow-program.ts', import.meta.url);

/** A task that runs until its signal. */
function running({ reads }: OpenFile, signs: Signs, limits: ReadLimits = NO_LIMITS): Promise<unknown> {
  return reads.run('untilGo', { memory: signs.memory }, limits);
}

/** Number of threads that keep this process alive: those starting or running a task. */
function portsOfThreads(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}

describe('the program of reader threads', () => {
  for (const [form, program] of [
    ['source', fileOfPackage('src/storage/sqlite/threads/thread-main.ts')],
    ['bundle', fileOfPackage('dist/storage/sqlite/threads/thread-main.js')],
  ] as const) {
    it(`opens the file and looks up the task: ${form}`, async () => {
      const file = await openFile(folder, { program });
      const error = await rejectionOf(file.reads.run('none', {}, NO_LIMITS));
      expect(error).toEqual(new Error('No long read is named none.'));
      await file.connection.close();
    });
  }
});

describe('a long read', () => {
  let file: OpenFile;
  beforeAll(async () => {
    file = await openFile(folder);
  });
  afterAll(() => file.connection.close());
  const run = (task: string, input: unknown = {}) => file.reads.run(task, input, NO_LIMITS);

  it('sees everything stored before it started, each time', async () => {
    const names: string[] = [];
    for (let number = 10; number < 40; number += 1) {
      names.push(`owner ${number}`);
      await file.addOwner(`owner ${number}`);
      expect(await run('owners')).toEqual(names);
    }
  });

  it('reads one snapshot of the file', async () => {
    const signs = createSigns();
    const counts = run('ownersTwice', { memory: signs.memory });
    await signs.seen('begun');
    await file.addOwner('in between');
    signs.add('go');
    const [before, after] = (await counts) as [number, number];
    expect(after).toBe(before);
    expect(await run('owners')).toHaveLength(before + 1);
  });

  it('does not block the event loop', async () => {
    const signs = createSigns();
    const went = run('oneLongStep', { memory: signs.memory, ms: 20_000 });
    await signs.seen('begun');
    for (let turn = 0; turn < 100; turn += 1) await delay(0);
    signs.add('go');
    expect(await went).toBe('went');
  });

  it('is served in call order by one thread', async () => {
    const done: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        await run('owners');
        done.push(number);
      }),
    );
    expect(done).toEqual([...done.keys()]);
  });

  it('transfers byte arrays of any size, and only these', async () => {
    const { small, large, text } = (await run('bytes', { count: 5_000_000 })) as Record<string, Uint8Array>;
    expect([Buffer.from(small!).toString(), text]).toEqual(['small', 'text']);
    expect(small?.buffer.byteLength).toBe('small'.length);
    expect(large?.length).toBe(5_000_000);
    expect(large?.every((byte) => byte === 7)).toBe(true);
    const bytes = (await run('onlyBytes')) as Uint8Array;
    expect(Buffer.from(bytes).toString()).toBe('bytes');
    expect(bytes.buffer.byteLength).toBe('bytes'.length);
  });

  it('cannot write', async () => {
    expect(await rejectionOf(run('write'))).toEqual(
      expect.objectContaining({ message: 'attempt to write a readonly database' }),
    );
    expect(await run('owners')).not.toEqual([]);
  });

  it('fails with the ServiceError of its task', async () => {
    const refusal = (await rejectionOf(run('refuse'))) as ServiceError;
    expect(refusal).toBeInstanceOf(ServiceError);
    expect(refusal.code).toBe('BAD_USER_INPUT');
    expect(refusal.message).toBe('filter.and[1].bbox.south must be a number.');
    expect(refusal.retryAfterSeconds).toBeUndefined();

    const conflict = (await rejectionOf(run('conflict'))) as ServiceError;
    expect(conflict.extensions).toEqual({ code: 'CONFLICT', version: 4 });
    expect(conflict.retryAfterSeconds).toBe(7);
    expect((conflict.cause as Error).message).toBe('inside');
  });

  it('fails with the bug of its task, with name and stack trace', async () => {
    const bug = (await rejectionOf(run('bug'))) as Error;
    expect(bug).not.toBeInstanceOf(ServiceError);
    expect(bug.name).toBe('TypeError');
    expect(bug.stack).toMatch(/^TypeError: a bug\n\s+at .*tasks\.ts/);
  });

  it('fails for an unknown task or uncloneable input or result, without affecting the next', async () => {
    for (const [task, input] of [
      ['toString', {}],
      ['owners', () => {}],
      ['functionAsResult', {}],
    ] as const) {
      const error = await rejectionOf(run(task, input));
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(ServiceError);
    }
    expect(await run('owners')).not.toEqual([]);
  });

  it('reports damage to the operator, like every read', async () => {
    await expectUnavailable(run('damaged'));
    await expectUnavailable(run('damaged'));
    expect(file.notices).toEqual([
      { level: 'error', message: expect.stringContaining('The database file is damaged: database disk') },
    ]);
  });
});

describe('an aborted call', () => {
  it('rejects with the reason at once, and its task is cleaned up', async () => {
    const file = await openFile(folder);
    const signs = createSigns();
    const thread = await file.reads.run('thread', {}, NO_LIMITS);
    const controller = new AbortController();
    const result = running(file, signs, { ...NO_LIMITS, signal: controller.signal });
    await signs.seen('steps');
    const reason = new Error('controller');
    controller.abort(reason);
    expect(await rejectionOf(result)).toBe(reason);
    await signs.seen('cleaned');
    // The same thread continues.
    expect(await file.reads.run('thread', {}, NO_LIMITS)).toBe(thread);
    await file.connection.close();
  });

  it('starts nothing if it was aborted before', async () => {
    const file = await openFile(folder);
    const signs = createSigns();
    const reason = new Error('controller');
    const limits = { ...NO_LIMITS, signal: AbortSignal.abort(reason) };
    expect(await rejectionOf(running(file, signs, limits))).toBe(reason);
    expect(signs.read('begun')).toBe(0);
    await file.connection.close();
  });

  it('leaves the queue', async () => {
    const file = await openFile(folder);
    const [first, second] = [createSigns(), createSigns()];
    const result = running(file, first);
    await first.seen('begun');
    const controller = new AbortController();
    const waiting = running(file, second, { ...NO_LIMITS, signal: controller.signal });
    controller.abort();
    await rejectionOf(waiting);
    first.add('go');
    await result;
    await file.reads.run('owners', {}, NO_LIMITS);
    expect(second.read('begun')).toBe(0);
    await file.connection.close();
  });

  it('does not keep the log in use', async () => {
    for (const task of ['untilGo', 'ownersTwice', 'halfOfOwners']) {
      const file = await openFile(folder);
      await file.addOwner('one');
      await file.addOwner('two');
      const signs = createSigns();
      const controller = new AbortController();
      const result = file.reads.run(
        task,
        { memory: signs.memory },
        { ...NO_LIMITS, signal: controller.signal },
      );
      await signs.seen('begun');
      await file.addOwner('three');
      const shrink = () => file.connection.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy;
      // A task that has read nothing holds no snapshot.
      expect(shrink()).toBe(task === 'untilGo' ? 0 : 1);
      controller.abort();
      await rejectionOf(result);
      await signs.seen('cleaned');
      await file.reads.run('thread', {}, NO_LIMITS);
      expect(shrink()).toBe(0);
      expect(statSync(`${file.path}-wal`).size).toBe(0);
      await file.connection.close();
    }
  });
});

describe('the timeout of a long read', () => {
  it('stops it and its task', async () => {
    const file = await openFile(folder);
    const signs = createSigns();
    await file.reads.run('thread', {}, NO_LIMITS);
    await expectUnavailable(running(file, signs, { timeoutMs: 300 }));
    await signs.seen('cleaned');
    await file.connection.close();
  });

  it('starts once a thread is running, and reports the time spent', async () => {
    const file = await openFile(folder, { program: SLOW_PROGRAM });
    const spent: number[] = [];
    const limits = { timeoutMs: 2_000, onSpent: (milliseconds: number) => void spent.push(milliseconds) };
    const owners = file.reads.run('owners', {}, limits);
    const outcome = owners.catch((error: unknown) => error);
    // Longer than the read's timeout.
    await delay(2_200);
    writeFileSync(`${file.path}.go`, '');
    expect(await outcome).toEqual([]);
    expect(spent).toHaveLength(1);
    expect(spent[0]).toBeLessThan(2_000);
    await file.connection.close();
  });

  it('includes the wait for other reads of a thread', async () => {
    const file = await openFile(folder);
    const [first, second] = [createSigns(), createSigns()];
    const result = running(file, first);
    await first.seen('begun');
    await expectUnavailable(running(file, second, { timeoutMs: 1 }));
    first.add('go');
    expect(await result).toBe('went');
    expect(second.read('begun')).toBe(0);
    await file.connection.close();
  });
});

describe('a thread', () => {
  it('that does not start in time fails the jobs that wait for it', async () => {
    const file = await openFile(folder, { program: SLOW_PROGRAM, startMs: 50 });
    await expectUnavailable(file.reads.run('owners', {}, { timeoutMs: 100 * LONG_MS }));
    await file.connection.close();
    expect(portsOfThreads()).toBe(0);
  });

  it('that does not stop in time is replaced', async () => {
    const file = await openFile(folder, { stopMs: 50 });
    const signs = createSigns();
    const thread = await file.reads.run('thread', {}, NO_LIMITS);
    const controller = new AbortController();
    const result = file.reads.run(
      'oneLongStep',
      { memory: signs.memory, ms: LONG_MS },
      { ...NO_LIMITS, signal: controller.signal },
    );
    await signs.seen('begun');
    controller.abort();
    await rejectionOf(result);
    expect(await file.reads.run('thread', {}, NO_LIMITS)).not.toBe(thread);
    await file.connection.close();
  });

  it('that crashes fails its task, and is replaced', async () => {
    const file = await openFile(folder);
    for (let again = 0; again < 2; again += 1) {
      const [crashing, waiting] = [
        file.reads.run('exit', {}, NO_LIMITS),
        file.reads.run('owners', {}, NO_LIMITS),
      ];
      await expectUnavailable(crashing);
      expect(await waiting).toEqual([]);
    }
    await file.connection.close();
  });

  it('that crashes between two tasks is replaced', async () => {
    const file = await openFile(folder);
    const outcomeOf = (task: string) =>
      file.reads.run(task, {}, NO_LIMITS).catch((error: unknown) => (error as ServiceError).code);
    const crashing = await outcomeOf('thread');
    // Its error may arrive before its outcome.
    expect([undefined, 'STORAGE_UNAVAILABLE']).toContain(await outcomeOf('uncaught'));
    let next = await outcomeOf('thread');
    // A few more calls may reach it before it exits.
    while (next === crashing || next === 'STORAGE_UNAVAILABLE') next = await outcomeOf('thread');
    expect(typeof next).toBe('number');
    await file.connection.close();
  });

  it('that cannot start fails the waiting jobs', async () => {
    const file = await openFile(folder, { program: new URL('file:///nowhere.ts') });
    const calls = [1, 2, 3].map(() => file.reads.run('owners', {}, NO_LIMITS));
    for (const call of calls) await expectUnavailable(call);
    await file.connection.close();
  });

  it('exits after some idle time', async () => {
    const file = await openFile(folder, { idleMs: 1 });
    const threads = new Set<unknown>();
    while (threads.size < 3) {
      threads.add(await file.reads.run('thread', {}, NO_LIMITS));
      await delay(5);
    }
    await file.connection.close();
  });

  it('is added while calls wait, up to the configured number', async () => {
    const file = await openFile(folder, { threads: 3 });
    const signs = [1, 2, 3].map(() => createSigns());
    const results = signs.map((each) => running(file, each));
    await Promise.all(signs.map((each) => each.seen('begun')));
    const threads = portsOfThreads();
    expect(threads).toBeGreaterThanOrEqual(3);
    const fourth = file.reads.run('owners', {}, NO_LIMITS);
    expect(portsOfThreads()).toBe(threads);
    for (const each of signs) each.add('go');
    expect(await Promise.all([...results, fourth])).toEqual(['went', 'went', 'went', []]);
    await file.connection.close();
  });
});

describe('the queue for a thread', () => {
  it('is limited: further calls fail at once with a time to retry', async () => {
    const file = await openFile(folder, { waiting: 2 });
    const signs = createSigns();
    const first = running(file, signs);
    await signs.seen('begun');
    const waiting = [1, 2].map(() => file.reads.run('owners', {}, NO_LIMITS));
    const late = (await rejectionOf(file.reads.run('owners', {}, NO_LIMITS))) as ServiceError;
    expect([late.code, late.retryAfterSeconds]).toEqual(['STORAGE_UNAVAILABLE', 1]);
    signs.add('go');
    expect(await Promise.all([first, ...waiting])).toEqual(['went', [], []]);
    await file.connection.close();
  });
});

describe('a deleted or replaced file', () => {
  it('is not read by running or new tasks until it is back', async () => {
    const file = await openFile(folder, { threads: 2 });
    await file.addOwner('one');
    const signs = createSigns();
    const thread = await file.reads.run('thread', {}, NO_LIMITS);
    const under = [running(file, signs), running(file, signs)];
    await signs.seen('begun', 2);
    renameSync(file.path, `${file.path}.moved`);
    await Promise.all(under.map(expectUnavailable));
    await signs.seen('cleaned', 2);
    await expectUnavailable(file.reads.run('owners', {}, NO_LIMITS));
    renameSync(`${file.path}.moved`, file.path);
    const read = () => file.reads.run('owners', {}, NO_LIMITS);
    let names: unknown = null;
    while (names === null) names = await read().catch(() => delay(20).then(() => null));
    expect(names).toEqual(['one']);
    expect(await file.reads.run('thread', {}, NO_LIMITS)).not.toBe(thread);
    await file.connection.close();
  });

  it('is not read by a thread that has opened its replacement', async () => {
    const [file, other] = [await openFile(folder), await openFile(folder)];
    await file.addOwner('ours');
    await other.addOwner('theirs');
    await other.connection.close();
    renameSync(other.path, file.path);
    // While no check has run.
    const unwatched = {
      assertUsable: () => {},
      assertFileInPlace: () => file.connection.assertFileInPlace(),
      failure: (error: unknown) => error,
    };
    const reads = new ThreadedReads(unwatched, file.path, { threads: 1, program: PROGRAM });
    await expectUnavailable(reads.run('owners', {}, NO_LIMITS));
    await reads.close();
    await file.connection.close();
  });
});

describe('closing the store', () => {
  it('ends running and waiting tasks, and leaves no thread and one file', async () => {
    const file = await openFile(folder, { threads: 2 });
    await file.addOwner('one');
    const signs = createSigns();
    const calls = [
      file.reads.run('ownersTwice', { memory: signs.memory }, NO_LIMITS).catch((error: unknown) => error),
      running(file, signs).catch((error: unknown) => error),
      file.reads.run('owners', {}, NO_LIMITS).catch((error: unknown) => error),
    ];
    await signs.seen('begun', 2);
    await file.connection.close();
    for (const error of await Promise.all(calls)) {
      expect(error).toBeInstanceOf(ServiceError);
      expect((error as ServiceError).message).toBe('The database is closed.');
    }
    expect(signs.read('cleaned')).toBe(2);
    expect(statSync(`${file.path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    expect(portsOfThreads()).toBe(0);
    await expectUnavailable(file.reads.run('owners', {}, NO_LIMITS));
  });

  it('ends a thread that does not stop', async () => {
    const file = await openFile(folder, { stopMs: 50 });
    const signs = createSigns();
    const result = file.reads.run('oneLongStep', { memory: signs.memory, ms: LONG_MS }, NO_LIMITS);
    await signs.seen('begun');
    const unavailable = expectUnavailable(result);
    await file.connection.close();
    await unavailable;
  });
});
