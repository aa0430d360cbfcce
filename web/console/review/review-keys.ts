/** Keys of the review. The buttons show them. */

import { latinKey } from '../common/latin-key.ts';
import { t } from '../common/messages.ts';

export type ReviewAction =
  | 'next'
  | 'previous'
  | 'confirm'
  | 'candidates'
  | 'correct'
  | 'focusMap'
  | 'placePin'
  | 'undo'
  | 'keys'
  | 'close';

/** A candidate is chosen by its number, from 1. */
export type ReviewCommand = ReviewAction | { readonly candidate: number };

const ARROWS: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowRight: '→',
  ArrowLeft: '←',
};

/** The keys of each action as `KeyboardEvent.key` has them, letters in lower case. */
export const REVIEW_KEYS: Readonly<Record<ReviewAction, readonly string[]>> = {
  confirm: ['Enter', 'y'],
  next: ['j', 'ArrowDown', 'ArrowRight'],
  previous: ['k', 'ArrowUp', 'ArrowLeft'],
  candidates: ['c'],
  correct: ['e'],
  focusMap: ['m'],
  placePin: ['p'],
  undo: ['u'],
  keys: ['?'],
  close: ['Escape'],
};

const ACTIONS: ReadonlyMap<string, ReviewAction> = new Map(
  (Object.keys(REVIEW_KEYS) as ReviewAction[]).flatMap((action) =>
    REVIEW_KEYS[action].map((key) => [key, action] as const),
  ),
);

/** What has the focus, as far as it takes keys itself. */
export type KeyTarget = 'text' | 'button' | 'map' | 'other';

/** What a KeyboardEvent says about its key. */
export interface PressedKey {
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Whether the key is held. */
  readonly repeat: boolean;
}

/** Null for keys that the review leaves to the browser, the focused element or the map. */
export function commandOf(pressed: PressedKey, target: KeyTarget): ReviewCommand | null {
  const { key, ctrlKey, metaKey, altKey } = pressed;
  if (ctrlKey || metaKey || altKey || target === 'text') return null;
  if (target === 'button' && key === 'Enter') return null;
  if (target === 'map' && Object.hasOwn(ARROWS, key)) return null;
  const action = ACTIONS.get(latinKey(pressed)) ?? null;
  // A held key must not decide about rows that nobody has seen.
  if (pressed.repeat) return action === 'next' || action === 'previous' ? action : null;
  const number = numberOf(pressed);
  return number === null ? action : { candidate: number };
}

/** The digit of a key. French keyboards have digits only with Shift, so there the key without it counts, too. */
function numberOf({ key, code, shiftKey }: PressedKey): number | null {
  const digit = /^[1-5]$/.exec(key)?.[0] ?? (shiftKey ? undefined : /^Digit([1-5])$/.exec(code)?.[1]);
  return digit === undefined ? null : Number(digit);
}

/** How a key is written on a button. */
export function nameOfKey(key: string): string {
  if (key === 'Enter') return t('key.enter');
  if (key === 'Escape') return t('key.escape');
  return ARROWS[key] ?? key.toUpperCase();
}
