/** Retries, backoff, pacing and single flights, in simulated time. */

import { readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { fetchWithRetry, pauseAfter } from '../../../src/geocoding/resilience/fetch-with-retry.ts';
import { google } from '../../../src/geocoding/providers/google.ts';
import { openProvider } from '../../../src/geocoding/providers/open-provider.ts';
import type { HttpResponse, HttpFailure, HttpGet } from '../../../src/geocoding/providers/http.ts';
import { Pacer } from '../../../src/geocoding/resilience/pacer.ts';
import { SingleFlight } from '../../../src/geocoding/resilience/single-flight.ts';
import type { Bounds } from '../../../src/geocoding/resilience/time.ts';
import { ExtensibleDeadline, SYSTEM_TIME } from '../../../src/geocoding/resilience/time.ts';
import { googleFound } from '../../support/geocoding-fixtures.ts';
import type { FakeTime } from '../../support/geocoding-time.ts';
import { createFakeTime } from '../../support/geocoding-time.ts';

const response = (status: number, retryAfterSeconds?: number): HttpResponse => ({
  status,
  body: status === 200 ? googleFound({ latitude: 1, longitude: 2 }) : {},
  isTooLarge: false,
  retryAfterSeconds,
});
const timeout = { failure: 'timeout', code: 'ETIMEDOUT' } as const;

/** Returns the responses in turn; a timeout takes its whole time. */
function script(time: FakeTime, ...responses: readonly (HttpResponse | HttpFailure)[]) {
  const attempts: { at: number; timeoutMs: number }[] = [];
  const get: HttpGet = async (_request, timeoutMs, signal) => {
    const next = responses[attempts.length]!;
    attempts.push({ at: time.now(), timeoutMs });
    if ('failure' in next && next.failure === 'timeout') await time.sleep(timeoutMs, signal);
    return next;
  };
  return { get, attempts };
}

const lookup = {
  kind: 'forward' as const,
  address: 'Main Street 1',
  key: 'k',
  keySource: 'map' as const,
  area: null,
};

async function play(time: FakeTime, get: HttpGet, milliseconds: number, pacer?: Pacer) {
  const bounds: Bounds = {
    deadline: new ExtensibleDeadline(time, milliseconds),
    signal: new AbortController().signal,
  };
  const reading = fetchWithRetry(openProvider(google, { userAgent: 'x' }), lookup, bounds, {
    get,
    time,
    userAgent: 'x',
    random: () => 1,
    pacer,
  });
  await time.advance(milliseconds + 1);
  const read = await reading;
  return read.kind === 'found'
    ? { code: 'FOUND', outcome: 'success' }
    : { code: read.error.code, outcome: read.outcome };
}

describe('fetchWithRetry', () => {
  it('retries twice, with backoff', async () => {
    const time = createFakeTime();
    const { get, attempts } = script(time, response(500), response(503), response(200));
    expect(await play(time, get, 10_000)).toEqual({ code: 'FOUND', outcome: 'success' });
    expect(attempts.map(({ at }) => at)).toEqual([0, 250, 750]);
    const all = script(time, response(500), response(500), response(500), response(200));
    expect(await play(time, all.get, 10_000)).toEqual({ code: 'GEOCODER_UNAVAILABLE', outcome: 'fault' });
    expect(all.attempts).toHaveLength(3);
  });

  it('gives an attempt half of the remaining time, and the last one all of it', async () => {
    const time = createFakeTime();
    const { get, attempts } = script(time, timeout, timeout, timeout);
    expect(await play(time, get, 10_000)).toEqual({ code: 'GEOCODER_UNAVAILABLE', outcome: 'fault' });
    expect(attempts).toEqual([
      { at: 0, timeoutMs: 5000 },
      { at: 5250, timeoutMs: 2375 },
      { at: 8125, timeoutMs: 1875 },
    ]);
  });

  it('never retries before Retry-After, nor if that is after the deadline', async () => {
    const time = createFakeTime();
    const { get, attempts } = script(time, response(429, 3), response(200));
    expect(await play(time, get, 10_000)).toMatchObject({ code: 'FOUND' });
    expect(attempts[1]!.at).toBeGreaterThanOrEqual(3000);
    const late = script(time, response(429, 10), response(200));
    expect(await play(time, late.get, 10_000)).toEqual({ code: 'RATE_LIMITED', outcome: 'success' });
    expect(late.attempts).toHaveLength(1);
  });

  it('does not count a caller’s short deadline as a fault', async () => {
    const time = createFakeTime();
    expect(await play(time, script(time, timeout, timeout, timeout).get, 900)).toMatchObject({
      outcome: 'ignored',
    });
    expect(await play(time, script(time).get, 0)).toEqual({
      code: 'GEOCODER_UNAVAILABLE',
      outcome: 'ignored',
    });
  });

  it('paces every attempt, not only the first', async () => {
    const time = createFakeTime();
    const pacer = new Pacer(time, 1000);
    const { get, attempts } = script(time, response(500), response(500), response(200));
    expect(await play(time, get, 10_000, pacer)).toMatchObject({ code: 'FOUND' });
    expect(attempts.map(({ at }) => at)).toEqual([0, 1000, 2000]);
    const late = script(time, response(200));
    await pacer.wait({ deadline: new ExtensibleDeadline(time, 1), signal: new AbortController().signal });
    expect(await play(time, late.get, 500, pacer)).toEqual({
      code: 'GEOCODER_UNAVAILABLE',
      outcome: 'ignored',
    });
    expect(late.attempts).toEqual([]);
  });

  it('adds jitter', () => {
    expect([pauseAfter(0, 0, 0), pauseAfter(0, 0, 1), pauseAfter(1, 0, 0), pauseAfter(1, 0, 1)]).toEqual([
      125, 250, 250, 500,
    ]);
    expect(pauseAfter(0, 2, 0)).toBe(2125);
  });
});

describe('a single flight', () => {
  const bounds = (time: FakeTime, milliseconds: number, signal = new AbortController().signal): Bounds => ({
    deadline: new ExtensibleDeadline(time, milliseconds),
    signal,
  });

  it('has until the latest deadline of its callers', async () => {
    const time = createFakeTime();
    const flights = new SingleFlight<string>(time);
    const work = async ({ deadline, signal }: Bounds) => {
      await time.sleep(500, signal);
      return `${deadline.remaining()} left`;
    };
    const short = flights.join('a', bounds(time, 100), work);
    const long = flights.join('a', bounds(time, 1000), () => Promise.reject(new Error('not mine')));
    expect([short.isFirst, long.isFirst]).toEqual([true, false]);
    const late = short.result.catch((error: unknown) => error);
    await time.advance(600);
    expect(await late).toMatchObject({ code: 'GEOCODER_UNAVAILABLE' });
    expect(await long.result).toBe('500 left');
    expect([flights.size, time.sleepers()]).toEqual([0, 0]);
  });

  it('ends when all callers have left, and leaves nothing behind', async () => {
    const time = createFakeTime();
    const flights = new SingleFlight<string>(time);
    let isAborted = false;
    const gone = [new AbortController(), new AbortController()];
    const results = gone.map(({ signal }) =>
      flights
        .join('a', bounds(time, 1000, signal), async (shared) => {
          shared.signal.addEventListener('abort', () => (isAborted = true));
          await time.sleep(500, shared.signal);
          return 'done';
        })
        .result.catch((error: unknown) => error),
    );
    await time.advance(10);
    gone[0]!.abort(new Error('first'));
    await time.advance(10);
    expect(isAborted).toBe(false);
    gone[1]!.abort(new Error('second'));
    await time.advance(10);
    expect(isAborted).toBe(true);
    expect(await Promise.all(results)).toMatchObject([{ message: 'first' }, { message: 'second' }]);
    expect([flights.size, time.sleepers()]).toEqual([0, 0]);
  });
});

describe('the system’s time', () => {
  it('ends a sleep with the signal’s reason', async () => {
    const reason = new Error('gone');
    const gone = new AbortController();
    const sleeping = SYSTEM_TIME.sleep(60_000, gone.signal).catch((error: unknown) => error);
    gone.abort(reason);
    expect(await sleeping).toBe(reason);
    await expect(SYSTEM_TIME.sleep(1, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('an offline server', () => {
  it('does not load got, which only the first request imports', () => {
    const folder = fileURLToPath(new URL('../../../src/geocoding', import.meta.url));
    const importers = readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => /^import (?!type).*'got'/m.test(readFileSync(`${folder}/${name}`, 'utf8')));
    expect(importers).toEqual([]);
  });
});

describe('a process', () => {
  it('exits once its addresses are resolved', () => {
    const script = `
      import { createGeocoder } from './src/geocoding/create-geocoder.ts';
      import { settingsFor, townGeocoder } from './test/support/geocoding-settings.ts';
      import { startGeocodingServer } from './test/support/geocoding-server.ts';
      const server = await startGeocodingServer();
      const geocoder = createGeocoder(settingsFor(server.url), { offline: townGeocoder });
      await geocoder.geocode({ address: 'Main Street 1', apiKey: null, mapId: 'm' });
      await server.close();
      console.log('answered');
    `;
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const options = { cwd: root, encoding: 'utf8', timeout: 20_000 } as const;
    const { stdout, status } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script],
      options,
    );
    expect({ stdout, status }).toEqual({ stdout: 'answered\n', status: 0 });
  });
});
