import { messageOf as toldToOwner } from '../../web/console/common/messages.ts';
import { messageOf as toldToReader } from '../../web/map/messages.ts';
import { GraphqlError } from '../../web/shared/graphql.ts';

function failure(code: string, retryAfter: number | null = null): GraphqlError {
  return new GraphqlError(code, 'The server’s words.', { retryAfter });
}

describe('the message of a failure', () => {
  it.each(['NETWORK_ERROR', 'STORAGE_UNAVAILABLE', 'OVERLOADED'])(
    'is the same on both pages for %s',
    (code) => {
      const message = toldToReader(failure(code));
      expect(message).toMatch(code === 'NETWORK_ERROR' ? /cannot be reached/ : /is busy/);
      expect(toldToOwner(failure(code))).toBe(message);
    },
  );

  it('says when to retry', () => {
    expect(toldToReader(failure('RATE_LIMITED', 7))).toMatch(/wait 7 seconds/);
    expect(toldToOwner(failure('RATE_LIMITED', 7))).toBe('The server’s words. Please wait 7 seconds.');
    expect(toldToReader(failure('RATE_LIMITED'))).toMatch(/wait 60 seconds/);
  });

  it('never repeats the server’s message to readers, to owners nearly always', () => {
    for (const code of ['BAD_USER_INPUT', 'CONFLICT'])
      expect(toldToReader(failure(code))).toBe('Something went wrong.');
    expect(toldToOwner(failure('CONFLICT'))).toBe('The server’s words.');
    for (const code of ['UNKNOWN', 'INTERNAL_SERVER_ERROR']) {
      expect(toldToOwner(failure(code))).toBe('Something went wrong.');
      expect(toldToReader(failure(code))).toBe('Something went wrong.');
    }
    expect(toldToOwner(new TypeError('x'))).toBe('Something went wrong.');
  });
});
