/** Message signatures are compatible with the reference implementation of Standard Webhooks. */

import { Webhook } from 'standardwebhooks';

import { newWebhookSecret, signaturesOf } from '../../../src/services/webhooks/signature.ts';
import { blocksOf, readDocument } from '../../support/documents.ts';

type IsGenuine = (secret: string, headers: Record<string, string>, body: string) => boolean;

describe('a signature', () => {
  it('equals the reference implementation’s', () => {
    for (let count = 0; count < 100; count += 1) {
      const secret = newWebhookSecret();
      const body = JSON.stringify({ text: `ä 日本 ${count} \u2028` });
      const timestamp = 1_900_000_000 + count;
      const expected = new Webhook(secret).sign('msg_1', new Date(timestamp * 1000), body);
      expect(signaturesOf([secret], { id: 'msg_1', timestamp, body })).toBe(expected);
    }
  });

  it('comes twice while two secrets sign, and either one verifies', () => {
    const [one, other, foreign] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signaturesOf([one, other], { id: 'msg_1', timestamp, body: '{}' }),
    };
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    for (const secret of [one, other]) expect(new Webhook(secret).verify('{}', headers)).toEqual({});
    expect(() => new Webhook(foreign).verify('{}', headers)).toThrow();
    expect(() => new Webhook(one).verify('{"a":1}', headers)).toThrow();
  });

  it('is verified by the code of docs/api.md', async () => {
    const [example] = blocksOf(readDocument('docs/api.md')).filter(({ language }) => language === 'js');
    const { isGenuine } = (await import(
      `data:text/javascript,${encodeURIComponent(example?.code ?? '')}`
    )) as { isGenuine: IsGenuine };
    const [one, other, foreign] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const headersAt = (timestamp: number) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signaturesOf([one, other], { id: 'msg_1', timestamp, body: '{"ä":1}' }),
    });
    const now = Math.floor(Date.now() / 1000);
    const headers = headersAt(now);
    for (const secret of [one, other]) expect(isGenuine(secret, headers, '{"ä":1}')).toBe(true);
    expect(isGenuine(foreign, headers, '{"ä":1}')).toBe(false);
    expect(isGenuine(one, headers, '{"ä":2}')).toBe(false);
    expect(isGenuine(one, { ...headers, 'webhook-id': 'msg_2' }, '{"ä":1}')).toBe(false);
    expect(isGenuine(one, headersAt(now - 600), '{"ä":1}')).toBe(false);
    expect(isGenuine(one, {}, '{"ä":1}')).toBe(false);
  });
});
