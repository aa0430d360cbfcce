/** The deleted locations of a map, loaded page by page, and which of them are selected. */

import type { Session } from '../common/session.svelte.ts';
import type { TrashedFragment } from '../generated/operations.ts';
import { TrashDocument } from '../generated/operations.ts';
import { PagedList } from './paged-list.svelte.ts';

export class TrashList extends PagedList<TrashedFragment> {
  selected = $state.raw<ReadonlySet<string>>(new Set());
  readonly #session: Session;
  readonly #mapId: string;
  #search: string | null = null;

  constructor(session: Session, mapId: string) {
    super();
    this.#session = session;
    this.#mapId = mapId;
  }

  /** The selected ids, in the order of the list. */
  get selectedIds(): readonly string[] {
    return this.#ids.filter((id) => this.selected.has(id));
  }

  get areAllSelected(): boolean {
    return this.#ids.length > 0 && this.#ids.every((id) => this.selected.has(id));
  }

  get #ids(): readonly string[] {
    return (this.items ?? []).map(({ location }) => location.id);
  }

  /** @param search words; null for all */
  search(search: string | null): Promise<void> {
    this.#search = search;
    return this.load();
  }

  select(id: string, isSelected: boolean): void {
    const selected = new Set(this.selected);
    if (isSelected) selected.add(id);
    else selected.delete(id);
    this.selected = selected;
  }

  selectAll(isSelected: boolean): void {
    this.selected = new Set(isSelected ? this.#ids : []);
  }

  /** Removes what was restored or purged. */
  drop(ids: readonly string[]): void {
    const dropped = new Set(ids);
    this.items = (this.items ?? []).filter(({ location }) => !dropped.has(location.id));
    this.selected = new Set([...this.selected].filter((id) => !dropped.has(id)));
  }

  protected async read(after: string | null, signal: AbortSignal) {
    const variables = { id: this.#mapId, search: this.#search, after };
    return (await this.#session.request(TrashDocument, variables, signal)).map?.trash;
  }

  protected loaded(): void {
    const shown = new Set(this.#ids);
    this.selected = new Set([...this.selected].filter((id) => shown.has(id)));
  }
}
