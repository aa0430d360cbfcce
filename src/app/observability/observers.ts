/** Logs and counts what a serving process does with its store, providers, upstream and webhooks. */

import type { Logger } from 'pino';

import type { AttemptedDelivery, Parts } from '../composition/application.ts';
import type { Metrics } from './metrics.ts';

export function createObservers(logger: Logger, metrics: Metrics | null): Parts {
  return {
    onStorageCommand: commandObserver(logger, metrics),
    namesRequests: logger.isLevelEnabled('debug'),
    onStorageNotice: ({ level, message }) => logger[level](message),
    onGeocode(event) {
      metrics?.observeGeocode(event);
      const { milliseconds, ...rest } = event;
      logger.debug({ ...rest, ms: Math.round(milliseconds) }, 'Geocoded');
    },
    onUpstreamCall(event) {
      metrics?.observeUpstream(event);
      const { milliseconds, ...rest } = event;
      logger.debug({ ...rest, ms: Math.round(milliseconds) }, 'Upstream request');
    },
    onGeocodeCacheFailure: (error, requestId) =>
      logger.warn({ requestId, err: error }, 'A geocoding result could not be cached'),
    onIssuerFailure: (error, requestId) =>
      logger.warn({ requestId, err: error }, 'The keys of JWT_ISSUER could not be fetched'),
    onAuditFailure: (error, requestId) =>
      logger.error(
        { requestId: requestId ?? undefined, err: error },
        'A line of the audit log could not be written',
      ),
    onChangesFailure: (error) => logger.warn({ err: error }, 'Changes could not be read; retrying'),
    onWebhookAttempt({ webhook, message, attempt }) {
      const { outcome, status, error, milliseconds } = attempt;
      metrics?.observeWebhookAttempt({ outcome, milliseconds });
      const ms = Math.round(milliseconds);
      logger.debug(
        { ...namesOf(webhook), messageId: message.id, outcome, status, reason: error, ms },
        'Webhook delivery attempt',
      );
    },
    onWebhookDisabled: (webhook) =>
      logger.info(
        { ...namesOf(webhook), reason: webhook.delivery.lastError },
        'A webhook was disabled because its receiver does not accept its messages',
      ),
    onWebhookCounts: (counts) => metrics?.observeWebhooks(counts),
    onWebhooksFailure: (error) => logger.warn({ err: error }, 'Webhooks could not be processed; retrying'),
    onTokenUseFailure: (error) => logger.warn({ err: error }, 'The last use of tokens could not be stored'),
  };
}

/** Only the host of the URL: the rest may be a secret. */
function namesOf({ id, mapId, url }: AttemptedDelivery['webhook']) {
  return { webhookId: id, mapId, host: new URL(url).host };
}

/** Undefined when nothing is logged or counted: the driver then measures no times. */
function commandObserver(logger: Logger, metrics: Metrics | null): Parts['onStorageCommand'] {
  if (metrics === null && !logger.isLevelEnabled('debug')) return undefined;
  return (command) => {
    metrics?.observeStorageCommand(command);
    const { milliseconds, ...rest } = command;
    logger.debug({ ...rest, ms: Math.round(milliseconds) }, 'Database command');
  };
}
