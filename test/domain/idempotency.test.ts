/** How a request with an idempotency key is classified. */

import { isKeyCounting, judgeKey } from '../../src/domain/idempotency.ts';

describe('a request with an idempotency key', () => {
  it('is new if the key is unknown', () => {
    expect(judgeKey(null, 'digest')).toBe('fresh');
    expect(judgeKey(undefined, 'digest')).toBe('fresh');
  });

  it('is a replay with the same body, and a conflict with any other', () => {
    expect(judgeKey({ digest: 'digest' }, 'digest')).toBe('replay');
    expect(judgeKey({ digest: 'digest' }, 'Digest')).toBe('conflict');
    expect(judgeKey({ digest: '' }, 'digest')).toBe('conflict');
  });

  it('matches the key until the millisecond in which it expires', () => {
    expect([99, 100, 101].map((now) => isKeyCounting(100, now))).toEqual([true, false, false]);
  });
});
