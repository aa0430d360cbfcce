/** The changes of a location, in words. */

import type { Point } from '../../../src/domain/filter/distance.ts';
import { distanceBetween } from '../../../src/domain/filter/distance.ts';
import { formatDistance } from '../common/distance.ts';
import { textOfValue } from '../common/field-inputs.ts';
import { t } from '../common/messages.ts';
import type { GeocodingPrecision, VersionFragment } from '../generated/operations.ts';

type Change = VersionFragment['changes'][number];

export interface ShownChange {
  /** What was changed. */
  readonly label: string;
  /** Empty where there was none. */
  readonly before: string;
  /** Empty where there is none. */
  readonly after: string;
  /** In place of the values; null if they say it. */
  readonly text: string | null;
  /** The points before and after; null if the location was not moved. */
  readonly points: readonly [Point, Point] | null;
}

interface FoundPoint extends Point {
  readonly provider: string;
  readonly precision: GeocodingPrecision;
  readonly isChecked: boolean;
}

const PROPERTY_PREFIX = 'properties.';
/** Longer values are cut. */
const MAX_LENGTH = 300;
const DIRECTIONS = [
  'north',
  'north-east',
  'east',
  'south-east',
  'south',
  'south-west',
  'west',
  'north-west',
] as const;

export function showChange({ path, before, after }: Change): ShownChange {
  const values = {
    before: cut(textOfValue(before)),
    after: cut(textOfValue(after)),
    text: null,
    points: null,
  };
  if (path.startsWith(PROPERTY_PREFIX)) return { label: path.slice(PROPERTY_PREFIX.length), ...values };
  switch (path) {
    case 'externalId':
      return { label: t('subject.externalId'), ...values };
    case 'order':
      return { label: t('history.listPosition'), ...values, text: t('history.listMoved') };
    case 'point':
      if (isPoint(before) && isPoint(after))
        return { label: t('point.label'), ...values, ...pointChange(before, after) };
      return { label: t('point.label'), ...values };
    default:
      return { label: path, ...values };
  }
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function isPoint(value: unknown): value is FoundPoint {
  const { latitude, longitude } = (value ?? {}) as Partial<Point>;
  return typeof latitude === 'number' && typeof longitude === 'number';
}

function pointChange(before: FoundPoint, after: FoundPoint): Pick<ShownChange, 'text' | 'points'> {
  const isMoved = before.latitude !== after.latitude || before.longitude !== after.longitude;
  const parts: string[] = [];
  if (isMoved) {
    const distance = formatDistance(distanceBetween(before, after));
    parts.push(t(`point.moved.${directionOf(before, after)}`, { distance }));
  }
  const source = sourceOf(after);
  if (source !== sourceOf(before)) parts.push(source);
  if (before.isChecked !== after.isChecked && after.provider !== 'manual')
    parts.push(after.isChecked ? t('point.checked') : t('point.unchecked'));
  return {
    text: parts.length === 0 ? t('point.foundAgain') : parts.join(t('list.separator')),
    points: isMoved ? [before, after] : null,
  };
}

function sourceOf({ provider, precision }: FoundPoint): string {
  return provider === 'manual' ? t('point.byHand') : t(`point.found.${precision}`, { provider });
}

/** The bearing at the start of the way, as one of eight directions. */
export function directionOf(from: Point, to: Point): (typeof DIRECTIONS)[number] {
  const radians = Math.PI / 180;
  const [a, b] = [from.latitude * radians, to.latitude * radians];
  const eastward = (to.longitude - from.longitude) * radians;
  const y = Math.sin(eastward) * Math.cos(b);
  const x = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(eastward);
  const eighths = Math.round(Math.atan2(y, x) / (Math.PI / 4));
  return DIRECTIONS[(eighths + DIRECTIONS.length) % DIRECTIONS.length] ?? 'north';
}

export type VersionAction = 'added' | 'changed' | 'deleted' | 'restored';

/** Of calls that delete or restore. */
const DELETING_OR_RESTORING = ['deleteLocation', 'deleteLocations', 'restoreLocations', 'undoChange'];

/**
 * What was done, for each version. Deletions and restorations, which change no values, take turns.
 *
 * @param versions of a location that exists, newest first, from the first on
 */
export function actionsOf(
  versions: readonly Pick<VersionFragment, 'version' | 'operation' | 'changes'>[],
): readonly VersionAction[] {
  let isNextRestoration = true;
  return versions.map(({ version, operation, changes }) => {
    if (version === 1) return 'added';
    const isKnown = operation === null || DELETING_OR_RESTORING.includes(operation);
    if (changes.length > 0 || !isKnown) return 'changed';
    const action = isNextRestoration ? 'restored' : 'deleted';
    isNextRestoration = !isNextRestoration;
    return action;
  });
}
