/** Texts about webhooks: their events, and results of deliveries. */

import { GraphqlError } from '../../shared/graphql.ts';
import { currentLocale } from '../../shared/i18n/translate.ts';
import { t } from '../common/messages.ts';
import type { TestWebhookMutation, WebhookRowFragment } from '../generated/operations.ts';

export type Webhook = WebhookRowFragment;
export type WebhookEvent = Webhook['events'][number];
export type WebhookInput = Pick<Webhook, 'url' | 'events'>;
type Tested = NonNullable<TestWebhookMutation['testWebhook']>;

/** In display order. */
export const EVENTS: readonly WebhookEvent[] = ['created', 'updated', 'moved', 'deleted'];

export function describeEvents(events: readonly WebhookEvent[]): string {
  const known = EVENTS.filter((event) => events.includes(event));
  if (known.length === EVENTS.length) return t('webhooks.allEvents');
  const names = known.map((event) => t(`webhooks.event.${event}`).toLocaleLowerCase(currentLocale()));
  return t('webhooks.events', { events: names.join(t('list.separator')) });
}

/** @param timeOf formats a time of the API */
export function describeStatus(webhook: Webhook, timeOf: (time: string) => string): string {
  const attempt = describeLastAttempt(webhook, timeOf);
  return webhook.status === 'active' ? attempt : `${attempt} ${t(`webhooks.next.${webhook.status}`)}`;
}

function describeLastAttempt(
  { lastAttemptAt, lastStatus, lastError }: Webhook,
  timeOf: (time: string) => string,
): string {
  if (lastAttemptAt === null) return t('webhooks.nothingSent');
  const time = timeOf(lastAttemptAt);
  return lastError === null
    ? t('webhooks.attempt.succeeded', { time, status: textOfStatus(lastStatus) })
    : t('webhooks.attempt.failed', { time, error: lastError });
}

export function describeTest({ status, error }: Tested): string {
  return error === null
    ? t('webhooks.test.succeeded', { status: textOfStatus(status) })
    : t('webhooks.test.failed', { error });
}

/** @param status of the HTTP response, which is a name rather than a number */
function textOfStatus(status: number | null): string {
  return String(status ?? '–');
}

/** The input that an error is about: the first word of its message. Null if it is about none. */
export function inputOf(error: unknown): keyof WebhookInput | null {
  if (!(error instanceof GraphqlError) || error.code !== 'BAD_USER_INPUT') return null;
  const [word] = error.message.split(' ', 1);
  return word === 'url' || word === 'events' ? word : null;
}
