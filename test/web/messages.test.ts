import { messageOf as toldToOwner } from '../../web/console/common/messages.ts';
import { ERRORS } from '../../src/errors.ts';
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
    expect(toldToOwner(failure('RATE_LIMITED', 7))).toBe(toldToReader(failure('RATE_LIMITED', 7)));
    const details = { provider: 'Photon', retryAfter: 7 };
    expect(toldToOwner(new GraphqlError('RATE_LIMITED', '', { details }))).toBe(
      'Photon accepts no more requests for now. Please wait 7 seconds.',
    );
    expect(toldToReader(failure('RATE_LIMITED'))).toMatch(/wait 60 seconds/);
  });

  it('never repeats the server’s message to readers, to owners only of rare errors', () => {
    for (const code of ['BAD_USER_INPUT', 'CONFLICT'])
      expect(toldToReader(failure(code))).toBe('Something went wrong.');
    expect(toldToOwner(failure('CONFLICT'))).toBe('The server’s words.');
    expect(toldToOwner(failure('BAD_USER_INPUT'))).toBe(
      'The server does not accept this: The server’s words.',
    );
    const repeated = Object.keys(ERRORS).filter((code) => toldToOwner(failure(code)).includes('words'));
    expect(repeated).toEqual([
      ...['BAD_USER_INPUT', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'UNSUPPORTED_MEDIA_TYPE', 'CSRF', 'CONFLICT'],
      ...['EXTERNAL_ID_TAKEN', 'GEOCODER_REFUSED', 'SUGGESTIONS_UNAVAILABLE', 'ISSUER_UNAVAILABLE'],
    ]);
    for (const code of ['UNKNOWN', 'INTERNAL_SERVER_ERROR']) {
      expect(toldToOwner(failure(code))).toBe('Something went wrong.');
      expect(toldToReader(failure(code))).toBe('Something went wrong.');
    }
    expect(toldToOwner(new TypeError('x'))).toBe('Something went wrong.');
  });

  it.each([
    [{ reason: 'fieldRepeated', name: 'Kind' }, 'Two fields are called Kind. Names must be unique.'],
    [{ reason: 'fieldMissing', type: 'address' }, 'A map needs a field of the type “Address”.'],
    [{ reason: 'fieldMissing', type: 'placeName' }, 'A map needs a field of the type “Place name”.'],
    [{ reason: 'limitReached', max: 50 }, 'The maximum of 50 is reached. Remove one first.'],
    [{ reason: 'passwordLength', min: 10, max: 256 }, 'The password must have 10 to 256 characters.'],
    [{ reason: 'passwordCommon' }, 'This password is one of the most used. Please choose another one.'],
    [{ reason: 'eventsMissing' }, 'Choose at least one kind of event.'],
    [{ reason: 'urlNotHttps' }, 'The URL must begin with https://.'],
    [{ reason: 'urlPrivate' }, 'The URL must name an address on the internet, not one in a private network.'],
    [{ reason: 'newer' }, 'The server does not accept this: no'],
  ])('describes the reason %j', (details, text) => {
    expect(toldToOwner(new GraphqlError('BAD_USER_INPUT', 'no', { details }))).toBe(text);
  });
});
