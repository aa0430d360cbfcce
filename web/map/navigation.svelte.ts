/** Opens and closes locations, and keeps the address of the page and its history in step. */

import type { View } from '../shared/map/framing.ts';
import type { MapView } from '../shared/map/map-view.ts';
import { formatFragment, parseFragment } from './fragment.ts';
import type { LocationList } from './location-list.svelte.ts';
import type { OpenLocation } from './open-location.svelte.ts';
import type { Sheet } from './sheet.ts';

export interface NavigationOptions {
  readonly list: LocationList;
  readonly opened: OpenLocation;
  readonly sheet: Sheet;
  /** Null until it is drawn. */
  readonly mapOf: () => MapView | null;
  /** Called with the id of the location whose card was closed. */
  readonly onClosed: (id: string, options: { readonly movesFocus: boolean }) => void;
}

export class Navigation {
  /** What fills a narrow screen. */
  sheet = $state<Sheet>('half');
  readonly #list: LocationList;
  readonly #opened: OpenLocation;
  readonly #mapOf: NavigationOptions['mapOf'];
  readonly #onClosed: NavigationOptions['onClosed'];
  /** View before a card was opened. */
  #viewBefore: View | null = null;
  /** Whether the sheet was raised only to show a card. */
  #isSheetRaised = false;
  /** Of the open location in the list; -1 if it is not among the loaded rows. */
  readonly index = $derived.by(() => this.#list.rows.findIndex(({ id }) => id === this.#opened.id));

  constructor({ list, opened, sheet, mapOf, onClosed }: NavigationOptions) {
    this.#list = list;
    this.#opened = opened;
    this.sheet = sheet;
    this.#mapOf = mapOf;
    this.#onClosed = onClosed;
  }

  chooseSheet(sheet: Sheet): void {
    this.sheet = sheet;
    this.#isSheetRaised = false;
  }

  /** Keeps the view in the address, without an entry in the history. */
  keepView(view: View): void {
    history.replaceState(null, '', urlOf(this.#opened.id, view));
  }

  open(id: string): void {
    if (id === this.#opened.id) return;
    if (this.#opened.id === null) this.#viewBefore = this.#view;
    // "Back" returns to the current view.
    history.pushState(null, '', urlOf(id, this.#view));
    void this.show(id);
  }

  /** Goes to the next or previous location. It replaces the history entry, so that "Back" leads to the list. */
  async step(by: 1 | -1): Promise<void> {
    const index = this.index + by;
    if (index >= this.#list.rows.length) await this.#list.more();
    const row = this.#list.rows[index];
    if (row === undefined || this.index + by !== index) return;
    history.replaceState(null, '', urlOf(row.id, this.#view));
    void this.show(row.id, { keepsCard: true });
  }

  /** @param options.keepsCard whether the current card stays until the location is loaded */
  async show(id: string, { keepsCard = false } = {}): Promise<void> {
    if (this.sheet === 'map') {
      this.sheet = 'half';
      this.#isSheetRaised = true;
    }
    await this.#opened.open(id, keepsCard ? this.#opened.details : null);
  }

  close({ movesFocus = true } = {}): void {
    if (this.#opened.id === null) return;
    history.pushState(null, '', urlOf(null, this.#viewBefore ?? this.#view));
    this.#hide({ movesFocus });
    if (this.#viewBefore !== null) this.#mapOf()?.showView(this.#viewBefore);
    this.#viewBefore = null;
  }

  /** The browser went back or forward. */
  follow(hash: string): void {
    const { locationId, view } = parseFragment(hash);
    if (view !== null) this.#mapOf()?.showView(view);
    if (locationId === this.#opened.id) return;
    if (locationId === null) this.#hide({ movesFocus: true });
    else void this.show(locationId);
  }

  #hide(options: { readonly movesFocus: boolean }): void {
    const { id } = this.#opened;
    if (id === null) return;
    this.#opened.close();
    this.#mapOf()?.showOpen(null);
    if (this.#isSheetRaised) this.sheet = 'map';
    this.#isSheetRaised = false;
    this.#onClosed(id, options);
  }

  get #view(): View | null {
    return this.#mapOf()?.view ?? null;
  }
}

function urlOf(locationId: string | null, view: View | null): string {
  return location.pathname + location.search + formatFragment({ locationId, view });
}
