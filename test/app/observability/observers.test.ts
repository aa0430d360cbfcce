/** Logs and metrics of storage notices and webhook deliveries. */

import { pino } from 'pino';

import { createMetrics } from '../../../src/app/observability/metrics.ts';
import { createObservers } from '../../../src/app/observability/observers.ts';
import type { Attempt } from '../../../src/services/webhooks/send-message.ts';
import { createMemoryLog } from '../../support/memory-log.ts';
import { createMemoryWebhooks } from '../../support/memory-webhooks.ts';

describe('a storage notice', () => {
  it('is a log line with its level', () => {
    const lines: unknown[] = [];
    const logger = pino(
      { base: null, timestamp: false },
      { write: (line) => void lines.push(JSON.parse(line)) },
    );
    const { onStorageNotice } = createObservers(logger, null);
    onStorageNotice?.({ level: 'error', message: 'The file has gone.' });
    onStorageNotice?.({ level: 'info', message: 'It is back.' });
    expect(lines).toEqual([
      { level: 50, msg: 'The file has gone.' },
      { level: 30, msg: 'It is back.' },
    ]);
  });
});

describe('an attempt to deliver to a webhook', () => {
  it('is counted and timed by outcome, and logged with only the host of the url', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino(
      { base: null, timestamp: false, level: 'debug' },
      { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    const metrics = createMetrics();
    const { onWebhookAttempt, onWebhookCounts, onWebhookDisabled } = createObservers(logger, metrics);
    const webhook = createMemoryWebhooks('0123456789abcdef', createMemoryLog('0123456789abcdef')).add({
      url: 'https://example.org:8443/canary/path?key=canary',
      secret: 'plain:canary',
    });
    const attempt = (outcome: Attempt['outcome']): Attempt => ({
      ...{ outcome, at: 0, milliseconds: 40, status: 500, error: 'It failed.', retryAfterMs: null },
    });
    for (const outcome of ['delivered', 'failed', 'failed', 'refused'] as const) {
      onWebhookAttempt?.({ webhook, message: { id: 'msg_1', body: 'canary' }, attempt: attempt(outcome) });
    }
    onWebhookDisabled?.(webhook);
    onWebhookCounts?.({ active: 3, failing: 2, disabled: 1 });
    expect(lines.map(({ level, outcome = null, host }) => [level, outcome, host])).toEqual([
      [20, 'delivered', 'example.org:8443'],
      [20, 'failed', 'example.org:8443'],
      [20, 'failed', 'example.org:8443'],
      [20, 'refused', 'example.org:8443'],
      [30, null, 'example.org:8443'],
    ]);
    expect(JSON.stringify(lines)).not.toContain('canary');
    const { text } = await metrics.render();
    const name = 'map_locations_webhook_attempt_duration_seconds';
    for (const [outcome, count] of [
      ['delivered', 1],
      ['failed', 2],
      ['refused', 1],
    ]) {
      expect(text).toContain(`${name}_count{outcome="${outcome}"} ${count}\n`);
    }
    expect(text).toContain(`${name}_sum{outcome="failed"} 0.08\n`);
    for (const [status, count] of Object.entries({ active: 3, failing: 2, disabled: 1 })) {
      expect(text).toContain(`map_locations_webhooks{status="${status}"} ${count}\n`);
    }
  });
});
