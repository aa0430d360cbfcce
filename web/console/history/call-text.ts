/** The calls in the history of a map, in words. */

import { isolated } from '../../shared/text.ts';
import { t } from '../common/messages.ts';
import type { CallFragment } from '../generated/operations.ts';

/** Kinds of calls to filter by, each with its operations. */
export const CALL_KINDS = {
  added: ['createLocation', 'createLocations', 'upsertLocations', 'import', 'mirror'],
  changed: ['updateLocation', 'checkLocations'],
  geocoded: ['geocodeLocations', 'geocode'],
  moved: ['moveLocations'],
  deleted: ['deleteLocation', 'deleteLocations'],
  restored: ['restoreLocations', 'restoreVersion', 'undoChange'],
} as const satisfies Record<string, readonly string[]>;
export type CallKind = keyof typeof CALL_KINDS;

type Counts = Pick<CallFragment, 'operation' | 'created' | 'updated' | 'moved' | 'deleted'>;

/** What the counts alone do not say. */
const LABELS = {
  createLocations: 'import',
  upsertLocations: 'import',
  import: 'import',
  mirror: 'mirror',
  checkLocations: 'check',
  geocodeLocations: 'geocoding',
  geocode: 'geocoding',
  restoreLocations: 'trash',
  restoreVersion: 'version',
  undoChange: 'undo',
} as const;

/** As many locations as the server names for a call. */
export const MAX_NAMED = 100;

/** Null if the counts say all. */
export function callLabel(operation: string): string | null {
  return hasLabel(operation) ? t(`history.label.${LABELS[operation]}`) : null;
}

function hasLabel(operation: string): operation is keyof typeof LABELS {
  return Object.hasOwn(LABELS, operation);
}

/** `3 added, 12 deleted`. */
export function callText({ operation, created, updated, moved, deleted }: Counts): string {
  const isRestoring = operation === 'restoreLocations' || operation === 'undoChange';
  const parts = [
    [created, isRestoring ? 'restored' : 'added'],
    [updated, 'changed'],
    [moved, 'moved'],
    [deleted, 'deleted'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => t(`history.count.${what}`, { count }))
    .join(t('list.separator'));
}

/** What undoing a call does with its locations, as sentences. @param keepsTrash whether deleted locations can be restored */
export function undoText(
  { created, updated, moved, deleted }: Omit<Counts, 'operation'>,
  keepsTrash: boolean,
): string {
  const parts = [
    [created, keepsTrash ? 'added' : 'addedForEver'],
    [updated, 'changed'],
    [moved, 'moved'],
    [deleted, 'deleted'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([, effect]) => t(`undo.effect.${effect}`))
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
  const known = ids.slice(0, SHOWN_NAMES).flatMap((id) => {
    const name = locations.get(id)?.name;
    return name === undefined ? [] : [isolated(name)];
  });
  const names = known.join(t('list.separator'));
  const count = ids.length - known.length;
  if (names === '' || count === 0) return names;
  return ids.length >= MAX_NAMED
    ? t('history.namesAndMore', { names })
    : t('history.namesMore', { names, count });
}
