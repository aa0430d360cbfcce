/** Converts the date, time and duration numbers of a workbook to text. */

import type { NumberKind } from './number-format.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Day 0 of the 1904 date system, and of the 1900 date system for dates since March 1900. */
const DAY_ZERO = { 1904: Date.UTC(1904, 0, 1), 1900: Date.UTC(1899, 11, 30) };
/** 29 February 1900, which did not exist. Days before it are off by one. */
const LEAP_DAY = 60;
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/**
 * `2024-05-31`, `2024-05-31T13:45:00` or `13:45:00`; a duration may exceed 24 hours. Includes a time that the number
 * format hides.
 *
 * @param days in the workbook's date system
 * @returns null if out of range
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
 * Normalises a date that is text in the workbook.
 *
 * @returns null if it is not a date
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
