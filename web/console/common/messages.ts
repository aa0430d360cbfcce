/** The console's texts, and its error messages. */

import type { InputReason } from '../../../src/errors.ts';
import type { SharedMessages } from '../../shared/generated/messages.ts';
import { GraphqlError } from '../../shared/graphql.ts';
import { translatorOf } from '../../shared/i18n/translate.ts';
import { commonMessageOf, unexpected } from '../../shared/messages.ts';
import type { ConsoleMessages } from '../generated/messages.ts';
import english from '../languages/en.json' with { type: 'json' };

export const t = translatorOf<ConsoleMessages & SharedMessages>(english);

/** Codes that say everything. */
const TRANSLATED = [
  'FORBIDDEN',
  'GEOCODER_UNAVAILABLE',
  'HISTORY_NOT_FOUND',
  'INVITATION_NOT_FOUND',
  'LAST_OWNER',
  'LOCATION_NOT_FOUND',
  'MAP_DELETED',
  'MAP_LINK_NOT_FOUND',
  'MAP_NOT_FOUND',
  'MEMBER_NOT_FOUND',
  'NAME_TAKEN',
  'PAYLOAD_TOO_LARGE',
  'SIGN_IN_FAILED',
  'SIGN_IN_LINK_NOT_FOUND',
  'TOKEN_NOT_FOUND',
  'WEBHOOK_NOT_FOUND',
] as const;

/** The server's own message, in English, is only for faults that users meet rarely. */
export function messageOf(error: unknown): string {
  if (!(error instanceof GraphqlError)) return unexpected();
  const { code, message, details, retryAfter } = error;
  const translated = TRANSLATED.find((one) => one === code);
  if (translated !== undefined) return t(`error.${translated}`);
  switch (code) {
    case 'UNAUTHENTICATED':
      return t('error.signedOut');
    case 'ADDRESS_NOT_FOUND':
      return t('import.rejected.ADDRESS_NOT_FOUND');
    case 'RATE_LIMITED': {
      const { provider, retryAfter: seconds } = details;
      return typeof provider === 'string'
        ? t('error.providerLimited', { provider, count: retryAfter ?? Number(seconds) })
        : (commonMessageOf(error) ?? message);
    }
    case 'BAD_USER_INPUT':
      return reasonText(details) ?? t('error.BAD_USER_INPUT', { message });
    case 'GEOCODER_REFUSED':
      return t('error.GEOCODER_REFUSED', { message });
    case 'UNKNOWN':
    case 'INTERNAL_SERVER_ERROR':
      return unexpected();
    default:
      return commonMessageOf(error) ?? message;
  }
}

/** Null if the server gives no reason, or one that this version does not know. */
function reasonText(details: GraphqlError['details']): string | null {
  const { name, type, min, max } = details;
  switch (details['reason'] as InputReason | undefined) {
    case 'eventsMissing':
      return t('error.reason.eventsMissing');
    case 'fieldMissing':
      return t('error.reason.fieldMissing', {
        type: t(type === 'address' ? 'fieldType.address' : 'fieldType.placeName'),
      });
    case 'fieldRepeated':
      return t('error.reason.fieldRepeated', { name: String(name) });
    case 'limitReached':
      return t('error.reason.limitReached', { max: Number(max) });
    case 'passwordCommon':
      return t('error.reason.passwordCommon');
    case 'passwordLength':
      return t('error.reason.passwordLength', { min: Number(min), max: Number(max) });
    case 'urlNotHttps':
      return t('error.reason.urlNotHttps');
    case 'urlPrivate':
      return t('error.reason.urlPrivate');
    default:
      return null;
  }
}
