/** The deleted locations of a map, loaded page by page, and which of them are selected. */

import type { Session } from '../common/session.svelte.ts';
import { messageOf } from '../common/messages.ts';
import type { TrashedFragment } from '../generated/operations.ts';
import { TrashDocument } from '../generated/operations.ts';

export class TrashList {
  /** Null until loaded. */
  items = $state.raw<readonly TrashedFragment[] | null>(null);
  selected = $state.raw<ReadonlySet<string>>(new Set());
  hasMore = $state(false);
  isLoading = $state(false);
  problem = $state('');
  readonly #session: Session;
  readonly #mapId: string;
  #search: string | null = null;
  #after: string | null = null;
  #request = new AbortController();

  constructor(session: Session, mapId: string) {
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

  /** Loads the first page. Never rejects. */
  load(): Promise<void> {
    return this.#load(null);
  }

  more(): Promise<void> {
    return this.#load(this.#after);
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

  async #load(after: string | null): Promise<void> {
    this.#request.abort();
    const { signal } = (this.#request = new AbortController());
    this.isLoading = true;
    try {
      const variables = { id: this.#mapId, search: this.#search, after };
      const { map } = await this.#session.request(TrashDocument, variables, signal);
      const { nodes = [], pageInfo } = map?.trash ?? {};
      this.items = after === null ? nodes : [...(this.items ?? []), ...nodes];
      this.#after = pageInfo?.endCursor ?? null;
      this.hasMore = pageInfo?.hasNextPage ?? false;
      this.problem = '';
      const shown = new Set(this.#ids);
      this.selected = new Set([...this.selected].filter((id) => shown.has(id)));
    } catch (error) {
      if (!signal.aborted) this.problem = messageOf(error);
    } finally {
      if (!signal.aborted) this.isLoading = false;
    }
  }
}
