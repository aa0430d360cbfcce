/** Days and instants in text: `YYYY-MM-DD`, or RFC 3339 with a time. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Milliseconds since the epoch, inclusive. A day spans 24 hours in UTC, an instant one millisecond. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Null if the text is neither. Digits beyond milliseconds are truncated. */
export function readSpan(text: string): Span | null {
  // Fast path: most texts are neither.
  if (text.charAt(4) !== '-') return null;
  const day = startOfDay(text);
  if (day !== null) return { first: day, last: day + DAY_MS - 1 };
  const instant = readInstant(text);
  return instant === null ? null : { first: instant, last: instant };
}

function readInstant(text: string): number | null {
  const [, date = '', hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] =
    INSTANT.exec(text) ?? [];
  const day = startOfDay(date);
  if (day === null) return null;
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  // Leap seconds have the number 60.
  if (hours > 23 || minutes > 59 || seconds > 60) return null;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1);
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return day + (hours * 60 + minutes - offset) * MINUTE_MS + seconds * 1000 + milliseconds;
}

function startOfDay(text: string): number | null {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined) return null;
  const date = new Date(0);
  // `Date.UTC` maps years before 100 to the 20th century.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // Refuse days such as February 30.
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
    ? date.getTime()
    : null;
}
