/** The calls in the history of a map, in words. */

import { isolated } from '../../shared/text.ts';
import type { CallFragment } from '../generated/operations.ts';

/** Kinds of calls to filter by, each with its operations. */
export const CALL_KINDS = {
  added: {
    label: 'Added or imported',
    operations: ['createLocation', 'createLocations', 'upsertLocations', 'import', 'mirror'],
  },
  changed: { label: 'Changed', operations: ['updateLocation', 'checkLocations'] },
  geocoded: { label: 'Geocoded', operations: ['geocodeLocations', 'geocode'] },
  moved: { label: 'Moved', operations: ['moveLocations'] },
  deleted: { label: 'Deleted', operations: ['deleteLocation', 'deleteLocations'] },
  restored: { label: 'Restored or undone', operations: ['restoreLocations', 'restoreVersion', 'undoChange'] },
} as const satisfies Record<string, { label: string; operations: readonly string[] }>;
export type CallKind = keyof typeof CALL_KINDS;

type Counts = Pick<CallFragment, 'operation' | 'created' | 'updated' | 'moved' | 'deleted'>;

/** What the counts alone do not say. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['createLocations', 'Import'],
  ['upsertLocations', 'Import'],
  ['import', 'Import'],
  ['mirror', 'Mirror'],
  ['checkLocations', 'Check'],
  ['geocodeLocations', 'Geocoding'],
  ['geocode', 'Geocoding'],
  ['restoreLocations', 'From the trash'],
  ['restoreVersion', 'Former version'],
  ['undoChange', 'Undo'],
]);

/** As many locations as the server names for a call. */
export const MAX_NAMED = 100;

/** Null if the counts say all. */
export function callLabel(operation: string): string | null {
  return LABELS.get(operation) ?? null;
}

/** `3 added, 12 deleted`. */
export function callText({ operation, created, updated, moved, deleted }: Counts): string {
  const isRestoring = operation === 'restoreLocations' || operation === 'undoChange';
  const parts: readonly (readonly [number, string])[] = [
    [created, isRestoring ? 'restored' : 'added'],
    [updated, 'changed'],
    [moved, 'moved'],
    [deleted, 'deleted'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString()} ${what}`)
    .join(', ');
}

/** What undoing a call does with its locations, as sentences. @param keepsTrash whether deleted locations can be restored */
export function undoText(
  { created, updated, moved, deleted }: Omit<Counts, 'operation'>,
  keepsTrash: boolean,
): string {
  const parts: readonly (readonly [number, string])[] = [
    [
      created,
      keepsTrash
        ? 'What it added goes to the trash.'
        : 'What it added is deleted for ever: this server keeps no trash.',
    ],
    [updated, 'What it changed gets its former values back.'],
    [moved, 'What it moved goes back to its former place in the list.'],
    [deleted, 'What it deleted comes back.'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([, text]) => text)
    .join(' ');
}

/** Names of locations that a call is shown with. The calls of a page have together at most as many as can be asked for. */
export const SHOWN_NAMES = 3;

/**
 * `Café Sol, Bar Luna and 7 more`; empty if no name is known.
 *
 * @param ids of the call's locations, of which a call names at most 100
 */
export function namesText(
  ids: readonly string[],
  locations: ReadonlyMap<string, { readonly name: string }>,
): string {
  const names = ids.slice(0, SHOWN_NAMES).flatMap((id) => {
    const name = locations.get(id)?.name;
    return name === undefined ? [] : [isolated(name)];
  });
  if (names.length === 0) return '';
  const more = ids.length - names.length;
  const rest = ids.length >= MAX_NAMED ? 'more' : `${more.toLocaleString()} more`;
  return `${names.join(', ')}${more === 0 ? '' : ` and ${rest}`}`;
}
