/** The console's texts, and its error messages. */

import type { SharedMessages } from '../../shared/generated/messages.ts';
import { GraphqlError } from '../../shared/graphql.ts';
import { translatorOf } from '../../shared/i18n/translate.ts';
import { commonMessageOf, unexpected } from '../../shared/messages.ts';
import type { ConsoleMessages } from '../generated/messages.ts';
import english from '../languages/en.json' with { type: 'json' };

export const t = translatorOf<ConsoleMessages & SharedMessages>(english);

export function messageOf(error: unknown): string {
  if (!(error instanceof GraphqlError)) return unexpected();
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
