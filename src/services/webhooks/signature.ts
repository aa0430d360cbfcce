/** Signing messages: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */

import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface Signed {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly body: string;
}

/** The `webhook-signature` header. @param secrets one signature each; a receiver needs to know only one of them */
export function signaturesOf(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  const text = `${id}.${timestamp}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
    })
    .join(' ');
}
