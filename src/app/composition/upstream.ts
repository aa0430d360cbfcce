/** A gateway in front of another service that speaks /v0. */

import type { Config } from '../config.ts';
import { exchange } from '../../lib/http-client.ts';
import { ForwardedTokens } from '../../upstream/services/forwarded-tokens.ts';
import { createUpstreamService } from '../../upstream/services/upstream-service.ts';
import { createUpstreamServices } from '../../upstream/services/upstream-services.ts';
import { traceSending } from '../../tracing/provider-requests.ts';
import type { Upstream } from '../../upstream/upstream.ts';
import { createV0Upstream } from '../../upstream/v0-upstream.ts';
import { VERSION } from '../../lib/version.ts';
import type { Served } from './gateway.ts';
import type { Parts } from './parts.ts';

export { addressOfUpstream } from '../../upstream/v0-upstream.ts';

/**
 * What is served where UPSTREAM_URL is set: no store is opened, and nothing is kept.
 *
 * @param url of the settings
 */
export function createUpstreamGateway(config: Config, url: string, parts: Parts = {}): Served {
  const upstream = openUpstream(url, config, parts);
  const tokens = new ForwardedTokens();
  const service = createUpstreamService(upstream, tokens);
  return {
    services: createUpstreamServices(service, tokens),
    audit: null,
    reopenAudit: null,
    isReady: () => true,
    ping: () => upstream.ping(),
    // The upstream has its own time limit, whose error names it: it must end first.
    pingTimeoutMs: 2 * config.upstream.timeoutMs,
    loadApi: async () => (await import('./upstream-api.ts')).createUpstreamApi(config, service),
    close: () => Promise.resolve(upstream.close()),
  };
}

/** Another service that speaks /v0. It is to be closed. */
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
