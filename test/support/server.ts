/** The whole service in this process: both endpoints over a new store, with a geocoder that needs no gazetteer. */

import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';

import type { Config, Environment } from '../../src/app/config.ts';
import { readConfig } from '../../src/app/config.ts';
import type { Application, Parts } from '../../src/app/composition/application.ts';
import type { StoreApplication } from '../../src/app/composition/store.ts';
import { openStoreApplication } from '../../src/app/composition/store.ts';
import { createApplicationServer } from '../../src/app/composition/server.ts';
import type { ExecutorSchemas } from '../../src/graphql/execution/executor.ts';
import { createExecutor } from '../../src/graphql/execution/executor.ts';
import { loadGraphqlJit } from '../../src/graphql/execution/jit/graphql-jit.ts';
import type { Post } from '../../src/lib/outbound/post.ts';
import type { TokenScope } from '../../src/storage/storage.ts';
import type { Tracing } from '../../src/tracing/tracing.ts';
import { createComparingExecutor } from './executor-parity.ts';
import type { FakeGeocoder } from './fake-geocoder.ts';
import { createFakeGeocoder } from './fake-geocoder.ts';
import type { CheckedResponse } from './openapi/response-check.ts';
import { createResponseCheck } from './openapi/response-check.ts';

const takesAll: Post = () => Promise.resolve({ status: 200, retryAfterSeconds: undefined });

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  /** The raw body. */
  readonly text: string;
  readonly bytes?: Buffer;
  /** The parsed JSON body; undefined if it is not JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test knows what it asked for
  readonly json: any;
}

export interface TestEndpoints {
  readonly app: FastifyInstance;
  /** Log lines, as JSON text. */
  readonly log: string[];
  /**
   * A request to any path; an object as `body` is sent as JSON. The OpenAPI document must describe a response of /v0.
   */
  request(
    method: string,
    url: string,
    options?: { token?: string | null; body?: unknown; headers?: Record<string, string> },
  ): Promise<TestResponse>;
  graphql(query: string, variables?: Record<string, unknown>, token?: string | null): Promise<TestResponse>;
  /** Fails for a response of /v0 that the server's own OpenAPI document does not describe. */
  expectDescribed(method: string, url: string, response: CheckedResponse): Promise<void>;
  close(): Promise<void>;
}

export interface TestServer extends TestEndpoints {
  readonly gateway: StoreApplication;
  readonly geocoder: FakeGeocoder;
  createToken(options?: { owner?: string; scope?: TokenScope; mapId?: string | null }): Promise<string>;
}

/** Settings of every test server: no rate limits, no overload limit, and time for a busy machine. */
export const TEST_SETTINGS = {
  RATE_LIMIT: '0',
  PUBLIC_RATE_LIMIT: '0',
  // A test that keeps the process busy must not cause an overload response.
  OVERLOAD_MS: '0',
  DATABASE_TIMEOUT_MS: '20000',
} as const;

/**
 * Operations are compiled at once, and queries are also executed by graphql-js; `close` fails if results differed. In a
 * test that counts, traces or breaks storage calls, each query is executed once.
 *
 * No webhook messages are sent: each counts as delivered, unless `post` is given as undefined.
 *
 * @param environment settings, added to those of an in-memory store with TEST_SETTINGS
 * @param replacements parts to use instead of the configured ones
 * @param options.executesOnce whether each query is executed only once in any case, to save time with thousands of
 * queries
 */
export async function createTestServer(
  environment: Environment = {},
  replacements: Parts = {},
  { executesOnce = false }: { readonly executesOnce?: boolean } = {},
): Promise<TestServer> {
  const config = readConfig({
    DATABASE_URL: 'sqlite::memory:',
    ...TEST_SETTINGS,
    ...environment,
  });
  const geocoder = createFakeGeocoder();
  const gateway = await openStoreApplication(config, { geocoder, post: takesAll, ...replacements });
  const createToken: TestServer['createToken'] = async ({
    owner = 'tester',
    scope = 'write',
    mapId = null,
  } = {}) => (await gateway.services.tokens.createToken({ owner, scope, mapId, expiresAt: null })).token;
  const { tracing = null, storage, onStorageCommand } = replacements;
  const isObserved = storage !== undefined || onStorageCommand !== undefined || tracing !== null;
  const endpoints = await openTestEndpoints(gateway, config, await createToken(), {
    executesOnce: executesOnce || isObserved,
    tracing,
  });
  return { ...endpoints, gateway, geocoder, createToken };
}

/**
 * The endpoints over any implementation of the services.
 *
 * @param defaultToken of requests without a token
 * @param options.executesOnce whether queries are executed by one executor only, without comparison
 */
export async function openTestEndpoints(
  served: Application,
  config: Config,
  defaultToken: string,
  { executesOnce, tracing = null }: { executesOnce: boolean; tracing?: Tracing | null },
): Promise<TestEndpoints> {
  const log: string[] = [];
  const mixin = tracing === null ? undefined : () => tracing.fields;
  const logger = pino({ level: 'debug', mixin }, { write: (line: string) => void log.push(line) });
  const differences: string[] = [];
  await loadGraphqlJit();
  const executorOf = (schemas: ExecutorSchemas) => {
    const executor = createExecutor(schemas, { usesBeforeCompiling: 0 });
    if (executesOnce) return executor;
    return createComparingExecutor(schemas, executor, (difference) => differences.push(difference));
  };
  const app = await createApplicationServer(served, config, logger, { executorOf, tracing });
  await app.ready();

  const expectDescribed: TestEndpoints['expectDescribed'] = async (method, url, response) => {
    if (!url.startsWith('/v0/')) return;
    const { body } = await app.inject('/v0/openapi.json');
    const undescribed = createResponseCheck(body)(method, url, response);
    if (undescribed.length === 0) return;
    throw new Error(
      `The OpenAPI document does not describe ${undescribed.join(', ')} of ${method} ${url}: ${response.status} ${response.text}`,
    );
  };

  const request: TestEndpoints['request'] = async (
    method,
    url,
    { token = defaultToken, body, headers = {} } = {},
  ) => {
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const injected = await app.inject({
      method,
      url,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: isText ? body : JSON.stringify(body) }),
    });
    const response = {
      status: injected.statusCode,
      headers: injected.headers,
      text: injected.body,
      bytes: injected.rawPayload,
      json: parse(injected.body),
    };
    await expectDescribed(method, url, response);
    return response;
  };

  return {
    app,
    log,
    request,
    expectDescribed,
    graphql: (query, variables, token = defaultToken) =>
      request('POST', '/graphql', { token, body: { query, variables } }),
    close: async () => {
      const closing = app.close();
      // `fetch` keeps connections alive for longer than a test may take.
      app.server.closeAllConnections();
      await closing;
      await served.close();
      if (differences.length > 0) throw new Error(differences.join('\n\n'));
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
