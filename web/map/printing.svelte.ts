/** Prints the page, from its button or by the browser's own command, which waits for nothing. */

import { flushSync } from 'svelte';

import type { MapView } from '../shared/map/map-view.ts';
import type * as PrintParts from './print.ts';
import type { LocationList } from './location-list.svelte.ts';

export class Printing {
  /** The list for paper, while it is in the page. */
  Sheet = $state.raw<(typeof PrintParts)['PrintSheet'] | null>(null);
  readonly #list: LocationList;
  readonly #mapOf: () => MapView | null;
  #parts: typeof PrintParts | null = null;

  constructor(list: LocationList, mapOf: () => MapView | null) {
    this.#list = list;
    this.#mapOf = mapOf;
  }

  /** The rows that are printed. */
  get rows() {
    return this.#list.rows.slice(0, this.#parts?.MAX_PRINTED);
  }

  /** Loads what only paper needs. Without it the page is printed as it stands. */
  async load(): Promise<void> {
    this.#parts ??= await import('./print.ts').catch(() => null);
  }

  /** Loads more of the list, and opens the browser's dialogue. */
  async print(): Promise<void> {
    await this.load();
    await this.#parts?.loadForPrint(this.#list);
    await this.#prepareMap();
    window.print();
  }

  begin(): void {
    if (this.#parts === null) return;
    this.Sheet = this.#parts.PrintSheet;
    flushSync();
    void this.#prepareMap();
  }

  end(): void {
    this.Sheet = null;
    const map = this.#mapOf();
    if (map !== null) void this.#parts?.endPrint(map);
  }

  async #prepareMap(): Promise<void> {
    const map = this.#mapOf();
    if (map !== null) await this.#parts?.prepareForPrint(map, this.rows);
  }
}
