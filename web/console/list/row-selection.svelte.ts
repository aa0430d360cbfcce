/** The selected rows of the list. */

import type { Row } from './locations-store.svelte.ts';

export class RowSelection {
  ids = $state.raw<ReadonlySet<string>>(new Set());
  /** Index of the last row selected: the start of a range. */
  #anchor = 0;

  has(id: string): boolean {
    return this.ids.has(id);
  }

  set(ids: Iterable<string>): void {
    this.ids = new Set(ids);
  }

  clear(): void {
    this.ids = new Set();
  }

  resetAnchor(): void {
    this.#anchor = 0;
  }

  /** @param isRange whether to include all rows from the last one selected */
  select(rows: readonly Row[], index: number, isSelected: boolean, isRange: boolean): void {
    const from = isRange ? Math.min(this.#anchor, index) : index;
    const to = isRange ? Math.max(this.#anchor, index) : index;
    const ids = new Set(this.ids);
    for (const { id } of rows.slice(from, to + 1)) {
      if (isSelected) ids.add(id);
      else ids.delete(id);
    }
    this.ids = ids;
    this.#anchor = index;
  }

  /** The selected ids in the order of the list. Rows that are not loaded follow all others, and were added in order. */
  inOrder(rows: readonly Row[]): readonly string[] {
    const loaded = rows.map(({ id }) => id).filter((id) => this.ids.has(id));
    return [...new Set([...loaded, ...this.ids])];
  }
}
