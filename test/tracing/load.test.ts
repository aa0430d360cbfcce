/** When tracing is loaded. Only the tests of this file register an SDK. */

import { loadTracing } from '../../src/tracing/load.ts';

const API = Symbol.for('opentelemetry.js.api.1');
const globals = globalThis as unknown as Record<symbol, unknown>;

afterEach(() => {
  delete globals[API];
});

describe('without a registered SDK', () => {
  it('nothing is traced, and there is no warning', async () => {
    expect(await loadTracing()).toEqual({ tracing: null, warning: null });
  });

  it('registered for something else, such as metrics, it is the same', async () => {
    globals[API] = { version: '1.10.0', metrics: {} };
    expect(await loadTracing()).toEqual({ tracing: null, warning: null });
  });
});

describe('with a registered SDK', () => {
  it('of an older API than ours, nothing is traced, with a warning', async () => {
    globals[API] = { version: '1.0.4', trace: {} };
    expect(await loadTracing()).toEqual({
      tracing: null,
      warning: "Nothing is traced: the SDK's @opentelemetry/api 1.0.4 is older than that of this program",
    });
  });

  it('of the same or a newer API, requests are traced', async () => {
    globals[API] = { version: '1.999.0', trace: { getTracer: () => ({}) } };
    expect(await loadTracing()).toEqual({ tracing: expect.anything(), warning: null });
  });
});
