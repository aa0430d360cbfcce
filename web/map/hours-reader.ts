/** Reads opening hours for the page, and says them in its language. */

import type { Span } from '../../src/domain/opening-hours.ts';
import { readOpeningHours, weekOf, ZonedOpeningHours } from '../../src/domain/opening-hours.ts';
import { TimeZone } from '../../src/domain/time-zone.ts';
import { currentLocale, formatDate } from '../shared/i18n/translate.ts';
import { t } from './messages.ts';

export interface HoursStatus {
  readonly isOpen: boolean;
  /** Such as "Open until 18:00". */
  readonly text: string;
}

export interface DayHours {
  readonly name: string;
  readonly isToday: boolean;
  readonly times: string;
}

/** Days in a row with the same times. */
export interface DaysHours {
  /** Such as "Mon – Fri". */
  readonly days: string;
  readonly times: string;
}

interface ReadHours {
  readonly hours: ZonedOpeningHours;
  readonly week: readonly (readonly Span[])[];
}

const DAY = 24 * 60;
const DAY_MS = DAY * 60_000;
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
/** A closing time this early on the next day is still of the same opening: "until 02:00", without the day. */
const NIGHT_MS = 12 * 3_600_000;

export class HoursReader {
  readonly #timeZone: string;
  readonly #zone: TimeZone;
  /** By text; null for what is not read. */
  readonly #known = new Map<string, ReadHours | null>();

  private constructor(timeZone: string) {
    this.#timeZone = timeZone;
    this.#zone = new TimeZone(timeZone);
  }

  /** @returns null for a zone that this browser does not know */
  static create(timeZone: string): HoursReader | null {
    try {
      return new HoursReader(timeZone);
    } catch {
      return null;
    }
  }

  /** @param now milliseconds since the epoch @returns null for a text that is not read */
  statusOf(text: string, now: number): HoursStatus | null {
    const read = this.#read(text);
    if (read === null) return null;
    const { isOpen, changesAt } = read.hours.stateAt(now);
    return { isOpen, text: this.#textOf(isOpen, changesAt, now) };
  }

  /** The days of the week, Monday first. @returns null for a text that is not read */
  weekOf(text: string, now: number): readonly DayHours[] | null {
    const today = this.#zone.weekdayAt(now);
    const week = this.#read(text)?.week.map((spans, weekday) => ({
      name: formatDate(MONDAY + weekday * DAY_MS, { weekday: 'long', timeZone: 'UTC' }),
      isToday: weekday === today,
      times: timesOf(spans),
    }));
    return week ?? null;
  }

  /** The week in few words, Monday first. @returns null for a text that is not read */
  summaryOf(text: string): readonly DaysHours[] | null {
    const week = this.#read(text)?.week.map(timesOf);
    if (week === undefined) return null;
    const names = new Intl.DateTimeFormat(currentLocale(), { weekday: 'short', timeZone: 'UTC' });
    const starts = week.flatMap((times, day) => (times === week[day - 1] ? [] : [day]));
    return starts.map((first, index) => {
      const last = (starts[index + 1] ?? week.length) - 1;
      const days = names.formatRange(MONDAY + first * DAY_MS, MONDAY + last * DAY_MS);
      return { days, times: week[first] ?? '' };
    });
  }

  #read(text: string): ReadHours | null {
    let read = this.#known.get(text);
    if (read === undefined) {
      const hours = readOpeningHours(text);
      read = hours === null ? null : { hours: new ZonedOpeningHours(hours, this.#zone), week: weekOf(hours) };
      this.#known.set(text, read);
    }
    return read;
  }

  #textOf(isOpen: boolean, changesAt: number | null, now: number): string {
    if (changesAt === null) return t(isOpen ? 'hours.always' : 'hours.closed');
    const timeZone = this.#timeZone;
    const time = formatDate(changesAt, { timeStyle: 'short', timeZone });
    const isSoon =
      this.#zone.dayAt(changesAt) === this.#zone.dayAt(now) || (isOpen && changesAt - now < NIGHT_MS);
    if (isSoon) return t(isOpen ? 'hours.until' : 'hours.opens', { time });
    const day = formatDate(changesAt, { weekday: 'long', timeZone });
    return t(isOpen ? 'hours.untilDay' : 'hours.opensDay', { day, time });
  }
}

function timesOf(spans: readonly Span[]): string {
  const [first] = spans;
  if (first === undefined) return t('hours.closed');
  if (spans.length === 1 && first.start === 0 && first.end === DAY) return t('hours.always');
  const clock = new Intl.DateTimeFormat(currentLocale(), { timeStyle: 'short', timeZone: 'UTC' });
  const at = (minute: number) => clock.format(MONDAY + minute * 60_000);
  return spans
    .map(({ start, end }) => t('hours.span', { from: at(start), to: at(end) }))
    .join(t('list.separator'));
}
