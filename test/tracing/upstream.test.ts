/** A gateway's requests to its upstream are spans, and carry a traceparent. */

import { openGatewayEndpoints } from '../support/gateway.ts';
import { MAP_ID, numbered, startMinimalUpstream, TOKEN } from '../support/minimal-upstream.ts';
import { startTracing } from '../support/tracing.ts';

it('a request to the upstream is a client span in the request’s trace, without the query', async () => {
  const traced = await startTracing();
  const upstream = await startMinimalUpstream();
  upstream.locations.push(...numbered(2));
  const gateway = await openGatewayEndpoints(upstream.url, {
    token: TOKEN,
    executesOnce: true,
    tracing: traced.tracing,
  });
  traced.forget();
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  await gateway.app.inject({
    url: `/v0/map/${encodeURIComponent(MAP_ID)}/locations?limit=1`,
    headers: { authorization: `Bearer ${TOKEN}`, traceparent: `00-${trace}-00f067aa0ba902b7-01` },
  });
  const span = traced.spans().find(({ name }) => name === 'GET');
  expect(span?.attributes).toMatchObject({
    'http.request.method': 'GET',
    'url.full': `${upstream.url}/v0/map/their%20map/locations`,
    'http.response.status_code': 200,
  });
  const { traceId, spanId } = span?.spanContext() ?? {};
  expect(traceId).toBe(trace);
  expect(upstream.received[0]?.headers['traceparent']).toBe(`00-${trace}-${spanId}-01`);
  expect(JSON.stringify(span?.attributes)).not.toContain(TOKEN);
  await gateway.close();
  await upstream.close();
});
