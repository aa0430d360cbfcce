/**
 * An SDK of OpenTelemetry for the server, to be loaded before it: `node --import`. The settings are the SDK's own, such as
 * OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME and OTEL_TRACES_SAMPLER
 * (https://opentelemetry.io/docs/languages/sdk-configuration/).
 */

import { isMainThread } from 'node:worker_threads';

// The server reads in threads too, which would load it again.
if (isMainThread) {
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  new NodeSDK({ serviceName: process.env.OTEL_SERVICE_NAME ?? 'map-locations' }).start();
}
