import { GraphqlError } from '../../web/shared/graphql.ts';
import type { Webhook } from '../../web/console/webhooks/webhooks.ts';
import { describeStatus, describeEvents, inputOf } from '../../web/console/webhooks/webhooks.ts';

const WEBHOOK: Webhook = {
  id: 'webhook_1',
  url: 'https://example.org/hook',
  events: ['created'],
  status: 'active',
  lastAttemptAt: '2026-11-23T12:00:00.000Z',
  lastStatus: 200,
  lastError: null,
};
const FAILED = { lastStatus: null, lastError: 'The connection failed (ECONNREFUSED).' };

describe('the texts about a webhook', () => {
  it.each<[string, Partial<Webhook>]>([
    ['Nothing sent yet.', { lastAttemptAt: null, lastStatus: null }],
    ['The last attempt, on Monday, succeeded: the receiver responded with 200.', {}],
    [
      'The last attempt, on Monday, failed. The connection failed (ECONNREFUSED). It will be retried; later messages wait.',
      { ...FAILED, status: 'failing' },
    ],
    [
      'The last attempt, on Monday, failed. The connection failed (ECONNREFUSED). Nothing is sent until you resume the webhook.',
      { ...FAILED, status: 'disabled' },
    ],
    // Resumed, but nothing sent since.
    ['The last attempt, on Monday, failed. The connection failed (ECONNREFUSED).', FAILED],
  ])('%s', (words, changes) => {
    expect(describeStatus({ ...WEBHOOK, ...changes }, () => 'Monday')).toBe(words);
  });

  it('list its events in a fixed order, and all of them as one word', () => {
    expect(describeEvents(['moved', 'created'])).toBe('Events: created, moved');
    expect(describeEvents(['deleted', 'moved', 'updated', 'created'])).toBe('Events: all');
  });
});

describe('a refused webhook', () => {
  it.each([
    ['url must be https.', 'url'],
    ['events must name at least one kind of change.', 'events'],
    ['The map already has 10 webhooks, the maximum; delete one first.', null],
    ['urls is not an input.', null],
  ])('assigns the error to the input that it names: %s', (message, input) => {
    expect(inputOf(new GraphqlError('BAD_USER_INPUT', message))).toBe(input);
    expect(inputOf(new GraphqlError('STORAGE_UNAVAILABLE', message))).toBeNull();
  });
});
