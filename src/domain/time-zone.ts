/** Local times of IANA time zones, without a library, for servers and browsers. */

export const DAY_MS = 24 * 60 * 60_000;
const QUARTER_MS = 15 * 60_000;
const MAX_OFFSETS = 2_000;

/** An IANA time zone. Offsets are milliseconds that local time is ahead of UTC. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat;
  /** By quarter of an hour, in which no zone changes its offset. */
  readonly #offsets = new Map<number, number>();

  /** @throws RangeError for an unknown zone */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  offsetAt(time: number): number {
    const quarter = Math.floor(time / QUARTER_MS);
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      offset = this.#readOffset(quarter * QUARTER_MS);
      if (this.#offsets.size >= MAX_OFFSETS) this.#offsets.clear();
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }

  /** Days since the epoch, by its clocks. */
  dayAt(time: number): number {
    return Math.floor((time + this.offsetAt(time)) / DAY_MS);
  }

  /** 0 for Monday. */
  weekdayAt(time: number): number {
    return weekdayOf(this.dayAt(time));
  }

  /** The offsets that a local day has. */
  offsetsAround(local: number): readonly number[] {
    return [...new Set([this.offsetAt(local - DAY_MS), this.offsetAt(local + 2 * DAY_MS)])];
  }

  /** When the offset changes; null if it is the same at both ends. */
  changeBetween(from: number, to: number): number | null {
    let [before, after] = [Math.floor(from / QUARTER_MS), Math.ceil(to / QUARTER_MS)];
    const offset = this.offsetAt(before * QUARTER_MS);
    if (this.offsetAt(after * QUARTER_MS) === offset) return null;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.offsetAt(middle * QUARTER_MS) === offset) before = middle;
      else after = middle;
    }
    return after * QUARTER_MS;
  }

  #readOffset(time: number): number {
    const parts = new Map(this.#format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return local - time;
  }
}

/** @param day since the epoch @returns 0 for Monday */
function weekdayOf(day: number): number {
  // The epoch began on a Thursday.
  return modulo(day + 3, 7);
}

export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
