/** The page's texts, and its error messages. */

import type { GraphqlError } from '../shared/graphql.ts';
import type { SharedMessages } from '../shared/generated/messages.ts';
import { translatorOf } from '../shared/i18n/translate.ts';
import { commonMessageOf, unexpected } from '../shared/messages.ts';
import type { MapMessages } from './generated/messages.ts';
import english from './languages/en.json' with { type: 'json' };

export const t = translatorOf<MapMessages & SharedMessages>(english);

export function messageOf(error: GraphqlError): string {
  switch (error.code) {
    case 'UNAUTHENTICATED':
      return t('error.linkEnded');
    case 'MAP_NOT_FOUND':
      return t('error.mapGone');
    case 'LOCATION_NOT_FOUND':
      return t('error.locationGone');
    default:
      return commonMessageOf(error) ?? unexpected();
  }
}
