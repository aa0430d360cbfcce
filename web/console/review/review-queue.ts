/** The rows to review, loaded page by page. Reviewed rows leave the queue; skipped rows stay. */

interface Identified {
  readonly id: string;
}

export interface ReviewQueue<Row extends Identified> {
  /** The loaded rows that are not reviewed. */
  readonly rows: readonly Row[];
  /** Index of the current row; 0 if there are none. */
  readonly index: number;
  /** Rows that are not reviewed, loaded or not. */
  readonly left: number;
  readonly reviewed: number;
}

/** Rows before the end of those loaded at which the next page is loaded. */
const LOAD_AHEAD = 20;

/** @param total number of rows on all pages */
export function queueOf<Row extends Identified>(rows: readonly Row[], total: number): ReviewQueue<Row> {
  return { rows, index: 0, left: total, reviewed: 0 };
}

export function currentRow<Row extends Identified>({ rows, index }: ReviewQueue<Row>): Row | null {
  return rows[index] ?? null;
}

/** The number of the current row and of all rows, reviewed ones included: the rows keep their numbers. */
export function positionOf({ index, left, reviewed }: ReviewQueue<Identified>): {
  readonly number: number;
  readonly total: number;
} {
  return { number: reviewed + index + 1, total: reviewed + left };
}

export function isLoadDue({ rows, index, left }: ReviewQueue<Identified>): boolean {
  return rows.length < left && index >= rows.length - LOAD_AHEAD;
}

/** Adds a page. If it is the last, the rows loaded are all that are left: others may have reviewed some. */
export function withPage<Row extends Identified>(
  queue: ReviewQueue<Row>,
  page: readonly Row[],
  isLast: boolean,
): ReviewQueue<Row> {
  const known = new Set(queue.rows.map(({ id }) => id));
  const rows = [...queue.rows, ...page.filter(({ id }) => !known.has(id))];
  return { ...queue, rows, left: isLast ? rows.length : Math.max(queue.left, rows.length) };
}

/** Goes to another loaded row; stays at the ends. */
export function movedBy<Row extends Identified>(queue: ReviewQueue<Row>, step: number): ReviewQueue<Row> {
  return { ...queue, index: Math.max(0, Math.min(queue.rows.length - 1, queue.index + step)) };
}

export function withRow<Row extends Identified>(queue: ReviewQueue<Row>, row: Row): ReviewQueue<Row> {
  return { ...queue, rows: queue.rows.map((old) => (old.id === row.id ? row : old)) };
}

/** Removes the current row and goes to the next one; after the last, to the first of those that were skipped. */
export function afterReview<Row extends Identified>(queue: ReviewQueue<Row>): ReviewQueue<Row> {
  return { ...withoutCurrent(queue), reviewed: queue.reviewed + 1 };
}

/** Removes the current row, which no longer exists. */
export function withoutCurrent<Row extends Identified>(queue: ReviewQueue<Row>): ReviewQueue<Row> {
  const rows = queue.rows.filter((_, index) => index !== queue.index);
  const left = queue.left - 1;
  // Rows may follow that are not loaded yet.
  const index = queue.index < rows.length || rows.length < left ? queue.index : 0;
  return { ...queue, rows, index, left };
}

/** Goes back to a row, as it is now. @param index where it was before it was reviewed */
export function restored<Row extends Identified>(
  queue: ReviewQueue<Row>,
  row: Row,
  index: number,
): ReviewQueue<Row> {
  const present = queue.rows.findIndex(({ id }) => id === row.id);
  if (present !== -1) return { ...withRow(queue, row), index: present };
  const at = Math.min(index, queue.rows.length);
  const rows = queue.rows.toSpliced(at, 0, row);
  return { rows, index: at, left: queue.left + 1, reviewed: queue.reviewed - 1 };
}
