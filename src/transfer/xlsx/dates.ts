/** Dates, times and durations as text, of the numbers that a workbook has for them. */

import type { NumberKind } from './number-format.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Day 0 of workbooks that count from 1904, and of all others from March 1900 on. */
const DAY_ZERO = { 1904: Date.UTC(1904, 0, 1), 1900: Date.UTC(1899, 11, 30) };
/** The 29th of February 1900, which there never was. Days before it count one more. */
const LEAP_DAY = 60;
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/**
 * `2024-05-31`, `2024-05-31T13:45:00`, `13:45:00`; a duration may have more than 24 hours. A time that a format hides is
 * given all the same.
 *
 * @param days as the workbook counts them
 * @returns null for a number that no date has
 */
export function dateText(days: number, kind: Exclude<NumberKind, 'number'>, is1904: boolean): string | null {
  const milliseconds = Math.round(days * DAY_MS);
  if (!Number.isSafeInteger(milliseconds)) return null;
  if (kind === 'duration') return durationText(milliseconds);
  if (milliseconds < 0) return null;
  const isTimeAlone = milliseconds < DAY_MS && (kind === 'time' || !is1904);
  if (isTimeAlone) return timeText(milliseconds);
  const date = dayOf(milliseconds, is1904);
  if (date === null) return null;
  const time = milliseconds % DAY_MS;
  return kind === 'date' && time === 0 ? date : `${date}T${timeText(time)}`;
}

function dayOf(milliseconds: number, is1904: boolean): string | null {
  const day = Math.floor(milliseconds / DAY_MS);
  if (!is1904 && day === LEAP_DAY) return null;
  const counted = !is1904 && day < LEAP_DAY ? day + 1 : day;
  const time = DAY_ZERO[is1904 ? 1904 : 1900] + counted * DAY_MS;
  return time < YEAR_10000 ? new Date(time).toISOString().slice(0, 10) : null;
}

function durationText(milliseconds: number): string {
  return `${milliseconds < 0 ? '-' : ''}${timeText(Math.abs(milliseconds))}`;
}

function timeText(milliseconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const fraction = milliseconds % 1000;
  const hours = two(milliseconds / HOUR_MS);
  const minutes = two((milliseconds % HOUR_MS) / MINUTE_MS);
  const seconds = two((milliseconds % MINUTE_MS) / 1000);
  const digits = fraction === 0 ? '' : `.${String(fraction).padStart(3, '0').replace(/0+$/, '')}`;
  return `${hours}:${minutes}:${seconds}${digits}`;
}

const ISO = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * Of a date that the workbook has as text.
 *
 * @returns null for text that is no date
 */
export function isoDateText(text: string, kind: NumberKind): string | null {
  const [whole, date, time, offset = ''] = ISO.exec(text) ?? [];
  if (whole === undefined || (date === undefined && time === undefined)) return null;
  if (time === undefined) return date ?? null;
  const full = (/^\d\d:\d\d$/.test(time) ? `${time}:00` : time).replace(/\.(\d*?)0*$/, (_, digits: string) =>
    digits === '' ? '' : `.${digits}`,
  );
  if (date === undefined) return full + offset;
  return kind === 'date' && full === '00:00:00' ? date : `${date}T${full}${offset}`;
}
