/** What the owner is told of a webhook, and of what is wrong with one. */

import { GraphqlError } from '../shared/graphql.ts';
import type { TestWebhookMutation, WebhookRowFragment } from './generated/operations.ts';

export type Webhook = WebhookRowFragment;
export type WebhookEvent = Webhook['events'][number];
export type WebhookInput = Pick<Webhook, 'url' | 'events'>;
type Tested = NonNullable<TestWebhookMutation['testWebhook']>;

/** In the order in which they are offered. */
export const EVENTS: readonly { event: WebhookEvent; name: string; hint: string }[] = [
  { event: 'created', name: 'Created', hint: 'a new location' },
  { event: 'updated', name: 'Updated', hint: 'other values, another point or external id' },
  { event: 'moved', name: 'Moved', hint: 'to another place in the list' },
  { event: 'deleted', name: 'Deleted', hint: 'a location that is gone' },
];

export const STATUSES: Readonly<Record<Webhook['status'], string>> = {
  active: 'Active',
  failing: 'Failing',
  disabled: 'Paused',
};

const AFTERWARDS: Readonly<Record<Webhook['status'], string>> = {
  active: '',
  failing: ' The message is sent again by itself; those after it wait.',
  disabled: ' Nothing is sent until you resume it.',
};

export function eventWords(events: readonly WebhookEvent[]): string {
  const names = EVENTS.filter(({ event }) => events.includes(event)).map(({ name }) => name.toLowerCase());
  return `Events: ${names.length === EVENTS.length ? 'all' : names.join(', ')}`;
}

/** @param timeOf writes a time of the API for the reader */
export function attemptWords(webhook: Webhook, timeOf: (time: string) => string): string {
  return lastWords(webhook, timeOf) + AFTERWARDS[webhook.status];
}

function lastWords(
  { lastAttemptAt, lastStatus, lastError }: Webhook,
  timeOf: (time: string) => string,
): string {
  if (lastAttemptAt === null) return 'Nothing was sent yet.';
  return outcomeWords(`The last attempt, on ${timeOf(lastAttemptAt)},`, lastStatus, lastError);
}

export function testWords({ status, error }: Tested): string {
  return outcomeWords('The test', status, error);
}

/** @param error a sentence of the server; null where the message arrived */
function outcomeWords(what: string, status: number | null, error: string | null): string {
  return error === null
    ? `${what} arrived: the receiver answered ${status ?? 'nothing'}.`
    : `${what} failed. ${error}`;
}

/** What of the form a refusal is about, with whose name it begins; null where it is about none. */
export function inputOf(error: unknown): keyof WebhookInput | null {
  if (!(error instanceof GraphqlError) || error.code !== 'BAD_USER_INPUT') return null;
  const [word] = error.message.split(' ', 1);
  return word === 'url' || word === 'events' ? word : null;
}
