/** Opening hours on the page. What reads them is loaded only for maps with such a field and a time zone. */

import type { MapConfig } from './config.ts';
import type { DayHours, DaysHours, HoursReader, HoursStatus } from './hours-reader.ts';

export class PageHours {
  /** The field that the list and the filter use; null if the map has none, or no time zone. */
  readonly field: string | null;
  /** Milliseconds since the epoch, at the start of the present minute. */
  now = $state(minuteOf(Date.now()));
  #reader = $state.raw<HoursReader | null>(null);

  constructor({ fields, timeZone }: Pick<MapConfig, 'fields' | 'timeZone'>) {
    const field = fields.find(({ type }) => type === 'openingHours');
    this.field = field === undefined || timeZone === undefined || timeZone === null ? null : field.name;
    if (this.field === null || typeof timeZone !== 'string') return;
    void import('./hours-reader.ts').then(({ HoursReader: Reader }) => {
      this.#reader = Reader.create(timeZone);
    });
  }

  /** Keeps the time up to date. @returns a function that ends it */
  start(): () => void {
    if (this.field === null) return () => {};
    const timer = setInterval(() => {
      this.now = minuteOf(Date.now());
    }, 5_000);
    return () => clearInterval(timer);
  }

  /** Null until the reader is loaded, and for what it cannot read. */
  statusOf(text: unknown): HoursStatus | null {
    return typeof text === 'string' ? (this.#reader?.statusOf(text, this.now) ?? null) : null;
  }

  /** Null where the status is. */
  summaryOf(text: unknown): readonly DaysHours[] | null {
    return typeof text === 'string' ? (this.#reader?.summaryOf(text) ?? null) : null;
  }

  /** Empty where the status is null. */
  weekOf(text: string): readonly DayHours[] {
    return this.#reader?.weekOf(text, this.now) ?? [];
  }
}

function minuteOf(time: number): number {
  return time - (time % 60_000);
}
