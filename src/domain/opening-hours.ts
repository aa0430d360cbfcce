/**
 * Opening hours in a subset of the syntax of OpenStreetMap (https://wiki.openstreetmap.org/wiki/Key:opening_hours): days,
 * times, several of both, over midnight, `off`, `24/7` and `PH`, such as `Mo-Fr 09:00-12:30,13:30-18:00; Sa 10:00-14:00; PH off`.
 * No calendar of public holidays is known, so `PH` matches no day.
 */

import type { TimeZone } from './time-zone.ts';
import { DAY_MS, modulo } from './time-zone.ts';

const DAY = 24 * 60;
const DAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const;
const EVERY_DAY = 0b111_1111;
/** The bit of public holidays among the days of a rule. */
export const HOLIDAYS = 0b1000_0000;
/** Longer texts are not read. */
const MAX_LENGTH = 512;

/** A span of minutes from the midnight that begins its day: `start` is within the day, `end` up to the end of the next one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Rule {
  /** Bit 0 is Monday, and bit 7 is {@link HOLIDAYS}. Null: the rule names no days. */
  readonly days: number | null;
  /** Null: the whole day. */
  readonly spans: readonly Span[] | null;
  readonly isOpen: boolean;
  /** Whether it leaves what earlier rules say of its days: it follows a comma. */
  readonly isAdditional: boolean;
  /** Whether it is what an earlier rule says of the day before, from midnight on. */
  readonly isSpill: boolean;
}

/** Opening hours that were read. */
export type OpeningHours = readonly Rule[];

/** @returns null for a text that is not in the subset */
export function readOpeningHours(text: string): OpeningHours | null {
  if (text.length > MAX_LENGTH) return null;
  const rules: Rule[] = [];
  for (const group of text.replace(/;\s*$/, '').split(';')) {
    const reader = new RuleReader(group);
    do {
      const rule = reader.next();
      if (rule === null) return null;
      rules.push(rule);
      const spilling = (rule.spans ?? []).filter(({ end }) => end > DAY);
      if (spilling.length > 0) {
        const spans = spilling.map(({ end }) => ({ start: 0, end: end - DAY }));
        rules.push({ ...rule, spans, isSpill: true });
      }
    } while (!reader.isAtEnd);
  }
  return rules;
}

/** Reads the rules of a group, which commas separate. */
class RuleReader {
  #rest: string;
  #isFirst = true;

  constructor(group: string) {
    this.#rest = group
      .trim()
      .toLowerCase()
      .replaceAll(/\s*[-–]\s*/g, '-');
  }

  get isAtEnd(): boolean {
    return this.#rest === '';
  }

  next(): Rule | null {
    const isAdditional = !this.#isFirst;
    if (isAdditional && this.#take(/,\s*/y) === null) return null;
    this.#isFirst = false;
    const rule = { isAdditional, isSpill: false };
    if (this.#take(/24\/7(?=$|,)/y) !== null) {
      return { ...rule, days: null, spans: [{ start: 0, end: DAY }], isOpen: true };
    }
    const days = this.#days();
    const spans = this.#spans();
    const isOpen = this.#take(/\s*(?:off|closed)\b/y) === null;
    // Without both, and days without times, it is not clear what is meant.
    if (days === undefined || spans === undefined || (isOpen && spans === null)) return null;
    return { ...rule, days, spans, isOpen };
  }

  /** @returns null for none, undefined for what is not valid */
  #days(): number | null | undefined {
    let days: number | null = null;
    for (;;) {
      const range = this.#take(/(ph|mo|tu|we|th|fr|sa|su)(?:-(mo|tu|we|th|fr|sa|su))?(?![a-z])/y);
      if (range === null) return days === null ? null : undefined;
      const [, from = '', to] = range;
      if (from === 'ph' && to !== undefined) return undefined;
      days = (days ?? 0) | (from === 'ph' ? HOLIDAYS : daysBetween(from, to ?? from));
      if (this.#take(/\s*,\s*(?=[a-z])/y) !== null) continue;
      this.#take(/:?\s+|:/y);
      return days;
    }
  }

  /** @returns null for none, undefined for what is not valid */
  #spans(): readonly Span[] | null | undefined {
    const spans: Span[] = [];
    for (;;) {
      const span = this.#take(/(\d{1,2}):(\d\d)-(\d{1,2}):(\d\d)(?![\d+:])/y);
      if (span === null) return spans.length === 0 ? null : undefined;
      const [start = 0, startMinute = 0, end = 0, endMinute = 0] = span.slice(1).map(Number);
      const from = start * 60 + startMinute;
      const to = end * 60 + endMinute;
      if (from >= DAY || to > 2 * DAY || startMinute > 59 || endMinute > 59) return undefined;
      spans.push({ start: from, end: to <= from ? to + DAY : to });
      if (this.#take(/\s*,\s*(?=\d+:)/y) === null) {
        this.#take(/\s+(?=,|$|off|closed)/y);
        return spans;
      }
    }
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = 0;
    const match = pattern.exec(this.#rest);
    if (match !== null) this.#rest = this.#rest.slice(match[0].length);
    return match;
  }
}

/** Over the end of the week if the last day comes first. */
function daysBetween(from: string, to: string): number {
  const first = (DAYS as readonly string[]).indexOf(from);
  const last = (DAYS as readonly string[]).indexOf(to);
  let days = 0;
  for (let day = first; ; day = (day + 1) % 7) {
    days |= 1 << day;
    if (day === last) return days;
  }
}

/** @param weekday 0 for Monday @param minute of the day */
function isOpenOn(hours: OpeningHours, weekday: number, minute: number): boolean {
  let applying: Rule[] = [];
  for (const [index, rule] of hours.entries()) {
    const day = rule.isSpill ? (weekday + 6) % 7 : weekday;
    if (((rule.days ?? EVERY_DAY) & (1 << day)) === 0) continue;
    // It replaces the rules before it, as for OpenStreetMap; without days only one that has none either.
    const replaces = rule.days !== null || hours[index - 1]?.days === null;
    if (replaces && rule.isOpen && !rule.isAdditional && !rule.isSpill) applying = [];
    applying.push(rule);
  }
  let isOpen = false;
  for (const { spans, isOpen: meaning } of applying) {
    if (spans === null || spans.some(({ start, end }) => start <= minute && minute < end)) isOpen = meaning;
  }
  return isOpen;
}

/**
 * The spans of each day of a week, Monday first. A span that goes on after midnight belongs to the day on which it begins,
 * unless it goes on for the whole next day, or for more than 24 hours.
 */
export function weekOf(hours: OpeningHours): readonly (readonly Span[])[] {
  const week = DAYS.map((_, weekday) => {
    const spans: Span[] = [];
    for (const minute of [...boundariesOf(hours), DAY]) {
      const last = spans.at(-1);
      const isOpen = minute < DAY && isOpenOn(hours, weekday, minute);
      if (last?.end === Infinity && !isOpen) spans[spans.length - 1] = { start: last.start, end: minute };
      else if (last?.end !== Infinity && isOpen) spans.push({ start: minute, end: Infinity });
    }
    return spans;
  });
  const joined = week.map((spans) => [...spans]);
  for (const [weekday, spans] of week.entries()) {
    const next = week[(weekday + 1) % 7] ?? [];
    const [first] = next;
    const last = spans.at(-1);
    if (last === undefined || first === undefined) continue;
    if (last.end !== DAY || last.start === 0 || first.start !== 0 || first.end === DAY) continue;
    if (first.end > last.start) continue;
    joined[weekday]?.splice(-1, 1, { start: last.start, end: DAY + first.end });
    joined[(weekday + 1) % 7]?.shift();
  }
  return joined;
}

/** Minutes of the day at which the state may change, ascending from 0. */
function boundariesOf(hours: OpeningHours): readonly number[] {
  const minutes = hours.flatMap(({ spans }) => (spans ?? []).flatMap(({ start, end }) => [start, end]));
  return [...new Set([0, ...minutes])].filter((minute) => minute < DAY).toSorted((a, b) => a - b);
}

export interface OpeningState {
  readonly isOpen: boolean;
  /** When that changes next, in milliseconds since the epoch; null for never. */
  readonly changesAt: number | null;
}

/** A week, and a day, since hours of today may lie before now; clocks may change meanwhile. */
const DAYS_AHEAD = 8;

/** Opening hours in a time zone. */
export class ZonedOpeningHours {
  readonly #hours: OpeningHours;
  readonly #zone: TimeZone;

  constructor(hours: OpeningHours, zone: TimeZone) {
    this.#hours = hours;
    this.#zone = zone;
  }

  /** @param time milliseconds since the epoch */
  isOpenAt(time: number): boolean {
    const local = time + this.#zone.offsetAt(time);
    return isOpenOn(this.#hours, this.#zone.weekdayAt(time), minuteOf(local));
  }

  stateAt(time: number): OpeningState {
    const isOpen = this.isOpenAt(time);
    const changesAt = this.#instantsAfter(time).find((instant) => this.isOpenAt(instant) !== isOpen);
    return { isOpen, changesAt: changesAt ?? null };
  }

  /** At which the state may change, ascending. */
  #instantsAfter(time: number): readonly number[] {
    const local = time + this.#zone.offsetAt(time);
    const midnight = local - modulo(local, DAY_MS);
    const boundaries = boundariesOf(this.#hours);
    const instants = new Set<number>();
    for (let day = 0; day <= DAYS_AHEAD; day += 1) {
      const start = midnight + day * DAY_MS;
      const offsets = this.#zone.offsetsAround(start);
      for (const minute of boundaries) {
        for (const offset of offsets) {
          const instant = start + minute * 60_000 - offset;
          // Not in the hour that clocks skip; in both that they repeat.
          if (this.#zone.offsetAt(instant) === offset) instants.add(instant);
        }
      }
      const change = this.#zone.changeBetween(start - (offsets[0] ?? 0), start + DAY_MS - (offsets[0] ?? 0));
      if (change !== null) instants.add(change);
    }
    return [...instants].filter((instant) => instant > time).toSorted((a, b) => a - b);
  }
}

function minuteOf(local: number): number {
  return Math.floor(modulo(local, DAY_MS) / 60_000);
}
