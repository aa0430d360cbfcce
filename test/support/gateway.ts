/** A gateway in this process: both endpoints in front of an upstream. */

import type { Environment } from '../../src/app/config.ts';
import { readConfig } from '../../src/app/config.ts';
import { createUpstreamApplication } from '../../src/app/composition/upstream.ts';
import type { UpstreamEvent } from '../../src/upstream/client.ts';
import type { Tracing } from '../../src/tracing/tracing.ts';
import type { TestEndpoints, TestServer } from './server.ts';
import { createTestServer, openTestEndpoints, TEST_SETTINGS } from './server.ts';

export interface GatewayEndpoints extends TestEndpoints {
  /** Every request to the upstream. */
  readonly calls: UpstreamEvent[];
  /** The HTTP methods of the upstream requests that some work makes. */
  callsOf(work: () => Promise<unknown>): Promise<readonly string[]>;
}

export interface GatewayOptions {
  /** Default token of requests. */
  readonly token: string;
  readonly environment?: Environment;
  /** Whether each query is executed once: by default, graphql-js executes it, too, and the results are compared. */
  readonly executesOnce?: boolean;
  readonly tracing?: Tracing;
}

/** @param url of the upstream */
export async function openGatewayEndpoints(
  url: string,
  { token, environment = {}, executesOnce = false, tracing }: GatewayOptions,
): Promise<GatewayEndpoints> {
  const config = readConfig({ UPSTREAM_URL: url, ...TEST_SETTINGS, ...environment });
  const calls: UpstreamEvent[] = [];
  const served = createUpstreamApplication(config, url, {
    onUpstreamCall: (event) => calls.push(event),
    ...(tracing !== undefined && { tracing }),
  });
  const endpoints = await openTestEndpoints(served, config, token, {
    executesOnce,
    tracing: tracing ?? null,
  });
  return {
    ...endpoints,
    calls,
    async callsOf(work) {
      const before = calls.length;
      await work();
      return calls.slice(before).map(({ verb }) => verb);
    },
  };
}

export interface GatewayDeployment {
  /** The upstream: one of our servers, listening. */
  readonly upstream: TestServer;
  readonly url: string;
  readonly token: string;
  /** Each query is executed once, so that calls can be counted. */
  readonly gateway: GatewayEndpoints;
  close(): Promise<void>;
}

/** A gateway in front of one of our servers. */
export async function openGatewayDeployment(
  environment: Environment = {},
  upstreamEnvironment: Environment = {},
): Promise<GatewayDeployment> {
  const upstream = await createTestServer(upstreamEnvironment);
  const url = await upstream.app.listen({ host: '127.0.0.1', port: 0 });
  const token = await upstream.createToken();
  const gateway = await openGatewayEndpoints(url, { token, environment, executesOnce: true });
  return {
    upstream,
    url,
    token,
    gateway,
    async close() {
      await gateway.close();
      await upstream.close();
    },
  };
}
