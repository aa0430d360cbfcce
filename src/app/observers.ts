/** What a serving process logs and counts of its store and its geocoder. */

import type { Logger } from 'pino';

import type { AttemptedDelivery, Parts } from './composition/parts.ts';
import type { Metrics } from './observability/metrics.ts';

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
      logger.debug({ ...rest, ms: Math.round(milliseconds) }, 'Asked the upstream');
    },
    onGeocodeCacheFailure: (error, requestId) =>
      logger.warn({ requestId, err: error }, 'A geocode was not kept'),
    onIssuerFailure: (error, requestId) =>
      logger.warn({ requestId, err: error }, 'The keys of JWT_ISSUER could not be fetched'),
    onAuditFailure: (error, requestId) =>
      logger.error(
        { requestId: requestId ?? undefined, err: error },
        'A line of the audit log was not written',
      ),
    onChangesFailure: (error) =>
      logger.warn({ err: error }, 'Changes could not be read; they are read again soon'),
    onWebhookAttempt({ webhook, message, attempt }) {
      const { outcome, status, error, milliseconds } = attempt;
      metrics?.observeWebhookAttempt({ outcome, milliseconds });
      const ms = Math.round(milliseconds);
      logger.debug(
        { ...namesOf(webhook), messageId: message.id, outcome, status, reason: error, ms },
        'Attempted to deliver a message to a webhook',
      );
    },
    onWebhookDisabled: (webhook) =>
      logger.info(
        { ...namesOf(webhook), reason: webhook.delivery.lastError },
        'A webhook is disabled; its receiver does not take its messages',
      ),
    onWebhookCounts: (counts) => metrics?.observeWebhooks(counts),
    onWebhooksFailure: (error) =>
      logger.warn({ err: error }, 'Webhooks could not be looked after; it is tried again soon'),
    onTokenUseFailure: (error) => logger.warn({ err: error }, 'The last use of tokens was not stored'),
  };
}

/** No more of the URL than its host: the rest may be a secret. */
function namesOf({ id, mapId, url }: AttemptedDelivery['webhook']) {
  return { webhookId: id, mapId, host: new URL(url).host };
}

/** Null when nobody listens: then the driver does not measure times. */
function commandObserver(logger: Logger, metrics: Metrics | null): Parts['onStorageCommand'] {
  if (metrics === null && !logger.isLevelEnabled('debug')) return undefined;
  return (command) => {
    metrics?.observeStorageCommand(command);
    const { milliseconds, ...rest } = command;
    logger.debug({ ...rest, ms: Math.round(milliseconds) }, 'Database command');
  };
}
