/** Error messages of all pages. */

import type { GraphqlError } from './graphql.ts';
import { t } from './i18n/translate.ts';

export const unexpected = () => t('error.unexpected');

/** The message for errors unrelated to the request; null for others. */
export function commonMessageOf({ code, retryAfter }: GraphqlError): string | null {
  switch (code) {
    case 'NETWORK_ERROR':
      return t('error.network');
    case 'RATE_LIMITED':
      return t('error.rateLimited', { count: retryAfter ?? 60 });
    case 'STORAGE_UNAVAILABLE':
    case 'OVERLOADED':
      return t('error.busy');
    default:
      return null;
  }
}
