/** What is loaded, and when: in this file no SDK is registered but those that the tests put there. */

import { loadTracing } from '../../src/tracing/load.ts';

const API = Symbol.for('opentelemetry.js.api.1');
const globals = globalThis as unknown as Record<symbol, unknown>;

afterEach(() => {
  delete globals[API];
});

describe('where no SDK has registered', () => {
  it('nothing is traced, and nobody is told', async () => {
    expect(await loadTracing()).toEqual({ tracing: null, warning: null });
  });

  it('the same holds where it has registered for something else, such as metrics', async () => {
    globals[API] = { version: '1.10.0', metrics: {} };
    expect(await loadTracing()).toEqual({ tracing: null, warning: null });
  });
});

describe('where an SDK has registered', () => {
  it('with an API that is older than ours, nothing is traced, and the operator is told why', async () => {
    globals[API] = { version: '1.0.4', trace: {} };
    expect(await loadTracing()).toEqual({
      tracing: null,
      warning: "Nothing is traced: the SDK's @opentelemetry/api 1.0.4 is older than that of this program",
    });
  });

  it('with one that is as new or newer, it is traced', async () => {
    globals[API] = { version: '1.999.0', trace: { getTracer: () => ({}) } };
    expect(await loadTracing()).toEqual({ tracing: expect.anything(), warning: null });
  });
});
