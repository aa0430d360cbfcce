/** Opening hours as the form edits them: by day of the week, and for public holidays. */

import type { Span } from '../../../src/domain/opening-hours.ts';
import { HOLIDAYS, readOpeningHours, weekOf } from '../../../src/domain/opening-hours.ts';

export interface HoursWeek {
  /** Monday first. A day without spans is closed. No span is longer than 24 hours. */
  readonly days: readonly (readonly Span[])[];
  /** Null if nothing is said of them. */
  readonly holidays: readonly Span[] | null;
}

const DAY = 24 * 60;
const DAY_NAMES = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;
/** From this many days on, a row of days is written as a range. */
const MIN_RANGE = 3;

/** @returns null for a text that the days do not hold in full, or that is not read */
export function weekOfText(text: string): HoursWeek | null {
  if (text.trim() === '') return { days: DAY_NAMES.map(() => []), holidays: null };
  const hours = readOpeningHours(text);
  if (hours === null) return null;
  const rules = hours.filter(({ isSpill }) => !isSpill);
  const index = rules.findIndex(({ days }) => ((days ?? 0) & HOLIDAYS) !== 0);
  const days = weekOf(hours);
  const rule = rules[index];
  if (rule === undefined) return { days, holidays: null };
  // Rules after it would hold on holidays, too, and so would those before it if it added to them.
  if (index < rules.length - 1 || rule.isAdditional) return null;
  const holidays = rule.spans ?? [];
  const isPartlyClosed = !rule.isOpen && holidays.length > 0;
  return isPartlyClosed || holidays.some(isLong) ? null : { days, holidays };
}

/** In the syntax of OpenStreetMap. It is read as the same week, unless it is longer than what is read. */
export function textOfWeek({ days, holidays }: HoursWeek): string {
  const text = days.every(isWholeDay) ? '24/7' : textOfDays(days);
  return holidays === null ? text : `${text}; PH ${timesOf(holidays)}`;
}

/** @returns the minute of the day; null for a text that is not a time */
export function minuteOf(time: string): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** As inputs of the type `time` have it: midnight is 00:00 at the end of a day, too. */
export function timeOf(minute: number): string {
  return clockOf(minute % DAY);
}

/** A span that ends at its start, or before it, goes on after midnight. */
export function spanBetween(start: number, end: number): Span {
  return { start, end: end <= start ? end + DAY : end };
}

export function isWholeDay(spans: readonly Span[]): boolean {
  const [first] = spans;
  return spans.length === 1 && first?.start === 0 && first.end === DAY;
}

function isLong({ start, end }: Span): boolean {
  return end - start > DAY;
}

function textOfDays(days: readonly (readonly Span[])[]): string {
  const groups = new Map<string, number[]>();
  for (const [day, spans] of days.entries()) {
    if (spans.length > 0) groups.set(timesOf(spans), [...(groups.get(timesOf(spans)) ?? []), day]);
  }
  let text = '';
  const spilledOn = new Set<number>();
  for (const [times, group] of groups) {
    // After a semicolon, the rule would end what goes on from the day before.
    const separator = group.some((day) => spilledOn.has(day)) ? ', ' : '; ';
    text += `${text === '' ? '' : separator}${namesOf(group)} ${times}`;
    for (const day of group) {
      if (days[day]?.some(({ end }) => end > DAY)) spilledOn.add((day + 1) % DAY_NAMES.length);
    }
  }
  return text === '' ? 'off' : text;
}

/** @param days ascending */
function namesOf(days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of days) {
    const last = runs.at(-1);
    if (last?.at(-1) === day - 1) last.push(day);
    else runs.push([day]);
  }
  return runs
    .flatMap((run) => {
      const names = run.map((day) => DAY_NAMES[day] ?? '');
      return run.length < MIN_RANGE ? names : [`${names[0]}-${names.at(-1)}`];
    })
    .join(',');
}

function timesOf(spans: readonly Span[]): string {
  if (spans.length === 0) return 'off';
  return spans
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => `${clockOf(start)}-${clockOf(end > DAY ? end - DAY : end)}`)
    .join(',');
}

function clockOf(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
