/** Locations that undoing or restoring has left as they are, in words. */

import { isolated } from '../../shared/text.ts';
import { t } from '../common/messages.ts';

export interface LeftLocation {
  readonly id: string;
  /** As in `UndoChangeLeft` and `RestoreLocationsError`. */
  readonly code: string;
}

interface Named {
  readonly name: string;
  readonly externalId: string | null;
}

/** More would not be read. */
export const MAX_EXPLAINED = 20;

/**
 * A sentence with the location's name in the tag `name`.
 *
 * @param location null if it is not known
 * @param holder who has the external id of the location now; null if that is not known
 */
export function reasonOf(code: string, location: Named | null, holder: Named | null): string {
  const name = location === null ? t('left.unnamed') : location.name;
  switch (code) {
    case 'CONFLICT':
      return t('left.conflict', { name });
    case 'HISTORY_NOT_FOUND':
      return t('left.notKept', { name });
    case 'EXTERNAL_ID_TAKEN': {
      if (holder === null) return t('left.idTakenByOther', { name });
      const externalId = isolated(location?.externalId ?? '');
      return t('left.idTaken', { name, externalId, holder: isolated(holder.name) });
    }
    case 'LOCATION_NOT_FOUND':
      return t('left.notInTrash', { name });
    default:
      return t('left.unchanged', { name });
  }
}

/** @param count of locations that were reverted */
export function undoneText(count: number): string {
  return count === 0 ? t('undo.nothing') : t('undo.done', { count });
}

/** Introduces a list. @param count of locations that were or would be left */
export function leftText(count: number): string {
  return t('undo.left', { count });
}
