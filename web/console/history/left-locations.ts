/** Locations that undoing or restoring has left as they are, in words. */

import { isolated } from '../../shared/text.ts';

export interface LeftLocation {
  readonly id: string;
  /** As in `UndoChangeLeft` and `RestoreLocationsError`. */
  readonly code: string;
}

export interface LeftReason {
  /** Empty if it is not known. */
  readonly name: string;
  /** Continues the sentence that begins with the name. */
  readonly reason: string;
}

interface Named {
  readonly name: string;
  readonly externalId: string | null;
}

/** More would not be read. */
export const MAX_EXPLAINED = 20;

/** @param holder who has the external id of the location now; null if that is not known */
export function reasonOf(code: string, location: Named | null, holder: Named | null): LeftReason {
  return { name: location?.name ?? '', reason: reasonFor(code, location, holder) };
}

function reasonFor(code: string, location: Named | null, holder: Named | null): string {
  switch (code) {
    case 'CONFLICT':
      return 'was changed since.';
    case 'HISTORY_NOT_FOUND':
      return 'cannot be brought back: how it was is no longer kept.';
    case 'EXTERNAL_ID_TAKEN':
      return holder === null
        ? 'cannot get its external ID back: another location has it now.'
        : `cannot get its external ID ${isolated(location?.externalId ?? '')} back: ${isolated(holder.name)} has it now.`;
    case 'LOCATION_NOT_FOUND':
      return 'is no longer in the trash.';
    default:
      return 'was left as it is.';
  }
}

/** @param count of locations that were reverted */
export function undoneText(count: number): string {
  if (count === 0) return 'Nothing was undone.';
  return count === 1 ? 'Undone: 1 location.' : `Undone: ${count.toLocaleString()} locations.`;
}

/** Introduces a list. @param count of locations that were or would be left */
export function leftText(count: number): string {
  return count === 1 ? '1 stays as it is:' : `${count.toLocaleString()} stay as they are:`;
}
