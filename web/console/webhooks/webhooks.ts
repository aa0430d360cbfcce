/** Texts about webhooks: their events, statuses, and results of deliveries. */

import { GraphqlError } from '../../shared/graphql.ts';
import type { TestWebhookMutation, WebhookRowFragment } from '../generated/operations.ts';

export type Webhook = WebhookRowFragment;
export type WebhookEvent = Webhook['events'][number];
export type WebhookInput = Pick<Webhook, 'url' | 'events'>;
type Tested = NonNullable<TestWebhookMutation['testWebhook']>;

/** In display order. */
export const EVENTS: readonly { event: WebhookEvent; name: string; hint: string }[] = [
  { event: 'created', name: 'Created', hint: 'a new location' },
  { event: 'updated', name: 'Updated', hint: 'new values, point or external ID' },
  { event: 'moved', name: 'Moved', hint: 'a new position in the list' },
  { event: 'deleted', name: 'Deleted', hint: 'a deleted location' },
];

export const STATUSES: Readonly<Record<Webhook['status'], string>> = {
  active: 'Active',
  failing: 'Failing',
  disabled: 'Paused',
};

const NEXT_STEPS: Readonly<Record<Webhook['status'], string>> = {
  active: '',
  failing: ' It will be retried; later messages wait.',
  disabled: ' Nothing is sent until you resume the webhook.',
};

export function describeEvents(events: readonly WebhookEvent[]): string {
  const names = EVENTS.filter(({ event }) => events.includes(event)).map(({ name }) => name.toLowerCase());
  return `Events: ${names.length === EVENTS.length ? 'all' : names.join(', ')}`;
}

/** @param timeOf formats a time of the API */
export function describeStatus(webhook: Webhook, timeOf: (time: string) => string): string {
  return describeLastAttempt(webhook, timeOf) + NEXT_STEPS[webhook.status];
}

function describeLastAttempt(
  { lastAttemptAt, lastStatus, lastError }: Webhook,
  timeOf: (time: string) => string,
): string {
  if (lastAttemptAt === null) return 'Nothing sent yet.';
  return describeOutcome(`The last attempt, on ${timeOf(lastAttemptAt)},`, lastStatus, lastError);
}

export function describeTest({ status, error }: Tested): string {
  return describeOutcome('The test', status, error);
}

/** @param error a sentence from the server; null if the message was delivered */
function describeOutcome(what: string, status: number | null, error: string | null): string {
  return error === null
    ? `${what} succeeded: the receiver responded with ${status ?? 'no status'}.`
    : `${what} failed. ${error}`;
}

/** The input that an error is about: the first word of its message. Null if it is about none. */
export function inputOf(error: unknown): keyof WebhookInput | null {
  if (!(error instanceof GraphqlError) || error.code !== 'BAD_USER_INPUT') return null;
  const [word] = error.message.split(' ', 1);
  return word === 'url' || word === 'events' ? word : null;
}
