/** Composes a gateway: the services over another service that implements /v0. */

import type { Config } from '../config.ts';
import { exchange } from '../../lib/http-client.ts';
import { ForwardedTokens } from '../../upstream/services/forwarded-tokens.ts';
import { createUpstreamService } from '../../upstream/services/upstream-service.ts';
import { createUpstreamServices } from '../../upstream/services/upstream-services.ts';
import { traceSending } from '../../tracing/provider-requests.ts';
import type { Upstream } from '../../upstream/upstream.ts';
import { createV0Upstream } from '../../upstream/v0-upstream.ts';
import { VERSION } from '../../lib/version.ts';
import type { Application, Parts } from './application.ts';

export { addressOfUpstream } from '../../upstream/client.ts';

/**
 * Serves when UPSTREAM_URL is set. No store is opened, and nothing is stored.
 *
 * @param url UPSTREAM_URL
 */
export function createUpstreamApplication(config: Config, url: string, parts: Parts = {}): Application {
  const upstream = openUpstream(url, config, parts);
  const tokens = new ForwardedTokens();
  const service = createUpstreamService(upstream, tokens);
  return {
    services: createUpstreamServices(service, tokens),
    audit: null,
    reopenAudit: null,
    isReady: () => true,
    ping: () => upstream.ping(),
    // Longer than the upstream's own limit, whose error names the upstream.
    pingTimeoutMs: 2 * config.upstream.timeoutMs,
    loadApi: async () => (await import('./upstream-api.ts')).createUpstreamApi(config, service),
    close: () => Promise.resolve(upstream.close()),
  };
}

/** A client of another service that implements /v0. The caller closes it. */
export function openUpstream(url: string, { upstream }: Config, parts: Parts = {}): Upstream {
  return createV0Upstream({
    url,
    timeoutMs: upstream.timeoutMs,
    maxBytes: upstream.responseLimit,
    userAgent: `map-locations/${VERSION}`,
    ...(parts.onUpstreamCall !== undefined && { onCall: parts.onUpstreamCall }),
    ...(parts.tracing && { send: traceSending(exchange, parts.tracing) }),
  });
}
