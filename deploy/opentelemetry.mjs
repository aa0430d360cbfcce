/**
 * Starts an OpenTelemetry SDK. Load it before the server, with `node --import`. It reads the SDK's own variables, such as
 * OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME and OTEL_TRACES_SAMPLER
 * (https://opentelemetry.io/docs/languages/sdk-configuration/).
 */

import { isMainThread } from 'node:worker_threads';

// Worker threads load this file too; the main thread's SDK is enough.
if (isMainThread) {
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  new NodeSDK({ serviceName: process.env.OTEL_SERVICE_NAME ?? 'map-locations' }).start();
}
