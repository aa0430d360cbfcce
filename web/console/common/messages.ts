/** The console's texts, and its error messages. */

import type { SharedMessages } from '../../shared/generated/messages.ts';
import { GraphqlError } from '../../shared/graphql.ts';
import { translatorOf } from '../../shared/i18n/translate.ts';
import { commonMessageOf, unexpected } from '../../shared/messages.ts';
import type { ConsoleMessages } from '../generated/messages.ts';
import english from '../languages/en.json' with { type: 'json' };

export const t = translatorOf<ConsoleMessages & SharedMessages>(english);

/** Codes that say everything. For others, the server's message, in English, says more. */
const TRANSLATED = [
  'INVITATION_NOT_FOUND',
  'LAST_OWNER',
  'MAP_DELETED',
  'MAP_LINK_NOT_FOUND',
  'MAP_NOT_FOUND',
  'MEMBER_NOT_FOUND',
] as const;

export function messageOf(error: unknown): string {
  if (!(error instanceof GraphqlError)) return unexpected();
  const translated = TRANSLATED.find((code) => code === error.code);
  if (translated !== undefined) return t(`error.${translated}`);
  switch (error.code) {
    case 'UNAUTHENTICATED':
      return t('error.signedOut');
    case 'RATE_LIMITED':
      return t('error.wait', { message: error.message, count: error.retryAfter ?? 60 });
    case 'UNKNOWN':
    case 'INTERNAL_SERVER_ERROR':
      return unexpected();
    default:
      return commonMessageOf(error) ?? error.message;
  }
}
