/** What a request under an idempotency key is. */

import { isKeyCounting, judgeKey } from '../../src/domain/idempotency.ts';

describe('a request under a key', () => {
  it('is fresh where nothing is remembered of the key', () => {
    expect(judgeKey(null, 'digest')).toBe('fresh');
    expect(judgeKey(undefined, 'digest')).toBe('fresh');
  });

  it('is a replay of the same body, and a conflict with any other', () => {
    expect(judgeKey({ digest: 'digest' }, 'digest')).toBe('replay');
    expect(judgeKey({ digest: 'digest' }, 'Digest')).toBe('conflict');
    expect(judgeKey({ digest: '' }, 'digest')).toBe('conflict');
  });

  it('counts a key until the millisecond in which it expires', () => {
    expect([99, 100, 101].map((now) => isKeyCounting(100, now))).toEqual([true, false, false]);
  });
});
