/** Edits opening hours in rows: one for each day, Monday first, and one for public holidays. */

import type { Span } from '../../../src/domain/opening-hours.ts';
import type { HoursWeek } from './hours-week.ts';
import { isWholeDay, minuteOf, spanBetween, textOfWeek, timeOf } from './hours-week.ts';

/** `unset` says nothing of the day; only for holidays. */
export type RowKind = 'unset' | 'closed' | 'open' | 'allDay';

/** Texts of inputs of the type `time`; empty if not filled in yet. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

export interface HoursRow {
  readonly kind: RowKind;
  /** Only of the kind `open`. */
  readonly ranges: readonly Range[];
}

export const HOLIDAY_ROW = 7;
/** Monday to Friday. */
const WEEKDAYS = 5;
/** Times of the first day that opens. */
const USUAL: Range = { from: '09:00', to: '17:00' };

export class HoursEditor {
  rows = $state.raw<readonly HoursRow[]>([]);

  /** In the syntax of OpenStreetMap, without ranges that are not filled in. */
  get text(): string {
    const holidays = this.rows[HOLIDAY_ROW];
    return textOfWeek({
      days: this.rows.slice(0, HOLIDAY_ROW).map(spansOf),
      holidays: holidays === undefined || holidays.kind === 'unset' ? null : spansOf(holidays),
    });
  }

  show({ days, holidays }: HoursWeek): void {
    this.rows = [...days.map(rowOf), holidays === null ? { kind: 'unset', ranges: [] } : rowOf(holidays)];
  }

  /** A day that opens has the hours of the nearest open day before it. */
  setKind(index: number, kind: RowKind): void {
    const before = this.rows.slice(0, index).findLast((row) => row.kind === 'open');
    this.#set(index, { kind, ranges: kind === 'open' ? (before?.ranges ?? [USUAL]) : [] });
  }

  setRange(index: number, at: number, times: Partial<Range>): void {
    this.#setRanges(index, (ranges) =>
      ranges.map((range, one) => (one === at ? { ...range, ...times } : range)),
    );
  }

  addRange(index: number): void {
    this.#setRanges(index, (ranges) => [...ranges, { from: '', to: '' }]);
  }

  removeRange(index: number, at: number): void {
    this.#setRanges(index, (ranges) => ranges.toSpliced(at, 1));
  }

  copyTo(days: 'week' | 'weekdays', index: number): void {
    const copied = this.rows[index];
    if (copied === undefined) return;
    const count = days === 'week' ? HOLIDAY_ROW : WEEKDAYS;
    this.rows = this.rows.map((row, one) => (one < count ? copied : row));
  }

  #setRanges(index: number, change: (ranges: readonly Range[]) => readonly Range[]): void {
    const row = this.rows[index];
    if (row !== undefined) this.#set(index, { ...row, ranges: change(row.ranges) });
  }

  #set(index: number, row: HoursRow): void {
    this.rows = this.rows.with(index, row);
  }
}

/** Whether the range goes on after midnight. */
export function isOvernight({ from, to }: Range): boolean {
  return from !== '' && to !== '' && to <= from && to !== '00:00';
}

function rowOf(spans: readonly Span[]): HoursRow {
  if (spans.length === 0) return { kind: 'closed', ranges: [] };
  if (isWholeDay(spans)) return { kind: 'allDay', ranges: [] };
  return { kind: 'open', ranges: spans.map(({ start, end }) => ({ from: timeOf(start), to: timeOf(end) })) };
}

function spansOf({ kind, ranges }: HoursRow): readonly Span[] {
  if (kind === 'allDay') return [spanBetween(0, 0)];
  if (kind !== 'open') return [];
  return ranges.flatMap(({ from, to }) => {
    const [start, end] = [minuteOf(from), minuteOf(to)];
    return start === null || end === null ? [] : [spanBetween(start, end)];
  });
}
