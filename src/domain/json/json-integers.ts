/**
 * Finds integers beyond ±(2^53 - 1) in JSON text. JSON.parse rounds them silently, so the text itself is scanned. Runs in
 * browsers, too.
 */

import { quote } from '../text.ts';
import { isJson } from './json.ts';

/** Digits of 2^53 - 1. A shorter integer is safe. */
const SAFE_DIGITS = 16;
const ZERO = 0x30;
const NINE = 0x39;
const INTEGER = /^-?[0-9]+$/;
const PLAIN_KEY = /^[A-Za-z_$][\w$]{0,59}$/;
/** Steps shown at each end of a long path. */
const SHOWN_STEPS = 10;

/**
 * @param root name of the whole value, the start of the path
 * @returns the path of the first integer beyond ±(2^53 - 1), such as `input.locations[2]["Shop id"]`; `root` if the value
 *   itself is one; null without one, and for invalid JSON
 */
export function findUnsafeInteger(text: string, root = ''): string | null {
  if (!mayHaveUnsafeInteger(text)) return null;
  for (const found of unsafeIntegersOf(text)) return isJson(text) ? found.path(root) : null;
  return null;
}

/** @param path of {@link findUnsafeInteger} */
export function unsafeIntegerMessage(path: string): string {
  return (
    `${path} is an integer beyond ±${Number.MAX_SAFE_INTEGER}, which JSON numbers cannot hold exactly; ` +
    'send it as a string.'
  );
}

/**
 * Replaces each integer beyond ±(2^53 - 1) by a string of its digits, and changes nothing else.
 *
 * @returns the text, and the paths of the replaced integers as {@link findUnsafeInteger} writes them. Invalid JSON is
 *   returned unchanged, without paths
 */
export function quoteUnsafeIntegers(text: string): { text: string; paths: string[] } {
  return replaceUnsafeIntegers(text, (digits) => `"${digits}"`);
}

/**
 * As {@link quoteUnsafeIntegers}, with any replacement.
 *
 * @param replacementOf JSON for the digits, which may begin with a minus sign
 */
export function replaceUnsafeIntegers(
  text: string,
  replacementOf: (digits: string) => string,
): { text: string; paths: string[] } {
  const paths: string[] = [];
  if (!mayHaveUnsafeInteger(text)) return { text, paths };
  let replaced = '';
  let done = 0;
  for (const { start, end, path } of unsafeIntegersOf(text)) {
    if (paths.length === 0 && !isJson(text)) break;
    replaced += text.slice(done, start) + replacementOf(text.slice(start, end));
    done = end;
    paths.push(path(''));
  }
  return { text: replaced + text.slice(done), paths };
}

/**
 * Whether there are {@link SAFE_DIGITS} digits in a row, which is rare. Every such run covers one of the probed indexes, so
 * most characters are skipped: a regular expression took half as long as JSON.parse, and many times as long for texts with
 * shorter runs of digits.
 */
export function mayHaveUnsafeInteger(text: string): boolean {
  for (let index = SAFE_DIGITS - 1; index < text.length; index += SAFE_DIGITS) {
    if (!isDigitAt(text, index)) continue;
    let start = index;
    while (isDigitAt(text, start - 1)) start -= 1;
    let end = index + 1;
    while (end < start + SAFE_DIGITS && isDigitAt(text, end)) end += 1;
    if (end - start >= SAFE_DIGITS) return true;
  }
  return false;
}

function isDigitAt(text: string, index: number): boolean {
  // NaN outside of the text.
  const unit = text.charCodeAt(index);
  return unit >= ZERO && unit <= NINE;
}

/** The index of an array item, or the span of a member's key in the text. */
type Step = number | Span;

interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

interface UnsafeInteger extends Span {
  /** Valid until the next integer is requested, and only for valid JSON. */
  path(this: void, root: string): string;
}

/** Scans tokens without checking the grammar: the result means nothing for invalid JSON. */
function* unsafeIntegersOf(text: string): Generator<UnsafeInteger> {
  // One step per open array or object. Recursion could exhaust the stack.
  const steps: Step[] = [];
  let string: Span = { start: 0, end: 0 };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') {
      string = { start: index, end: endOfString(text, index) };
      index = string.end - 1;
    } else if (character === ':') steps[steps.length - 1] = string;
    else if (character === ',') nextItem(steps);
    else if (character === '[') steps.push(0);
    else if (character === '{') steps.push(string);
    else if (character === ']' || character === '}') steps.pop();
    else if (character === '-' || isDigitAt(text, index)) {
      const start = index;
      while (isInNumber(text, index + 1)) index += 1;
      const end = index + 1;
      if (isUnsafe(text.slice(start, end))) yield { start, end, path: (root) => pathOf(text, steps, root) };
    }
  }
}

function nextItem(steps: Step[]): void {
  const step = steps.at(-1);
  if (typeof step === 'number') steps[steps.length - 1] = step + 1;
}

/** @returns the index after the closing quote; the text's length if there is none */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** Whether an odd number of backslashes precedes it. */
function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text[start - 1] === '\\') start -= 1;
  return (index - start) % 2 === 1;
}

function isInNumber(text: string, index: number): boolean {
  const character = text[index];
  return isDigitAt(text, index) || (character !== undefined && '+-.eE'.includes(character));
}

function isUnsafe(literal: string): boolean {
  return INTEGER.test(literal) && !Number.isSafeInteger(Number(literal));
}

function pathOf(text: string, steps: readonly Step[], root: string): string {
  const isShort = steps.length <= 2 * SHOWN_STEPS;
  const shown = isShort ? steps : steps.slice(0, SHOWN_STEPS);
  const more = isShort ? '' : `…${shownSteps(text, steps.slice(-SHOWN_STEPS))}`;
  const path = root + shownSteps(text, shown) + more;
  return path.startsWith('.') ? path.slice(1) : path;
}

function shownSteps(text: string, steps: readonly Step[]): string {
  const parts = steps.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    const key = JSON.parse(text.slice(step.start, step.end)) as string;
    return PLAIN_KEY.test(key) ? `.${key}` : `[${quote(key)}]`;
  });
  return parts.join('');
}
