/** A list of the server, loaded page by page. */

import { messageOf } from '../common/messages.ts';

export interface ListPage<Item> {
  readonly nodes: readonly Item[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

export abstract class PagedList<Item> {
  /** Null until loaded. */
  items = $state.raw<readonly Item[] | null>(null);
  hasMore = $state(false);
  isLoading = $state(false);
  /** Why the last request failed; empty if it did not. */
  problem = $state('');
  #after: string | null = null;
  #request = new AbortController();

  /** Loads the first page. Never rejects. */
  load(): Promise<void> {
    return this.#load(null);
  }

  /** Loads as many items again as are shown. Never rejects. */
  refresh(): Promise<void> {
    return this.#load(null, this.items?.length ?? 0);
  }

  /** Loads the next page. Never rejects. */
  more(): Promise<void> {
    return this.#load(this.#after);
  }

  /** @returns null or undefined for none */
  protected abstract read(
    after: string | null,
    signal: AbortSignal,
  ): Promise<ListPage<Item> | null | undefined>;

  /** After a page was added. */
  protected abstract loaded(items: readonly Item[]): Promise<void> | void;

  /** @param least how many items to load, if there are so many */
  async #load(after: string | null, least = 0): Promise<void> {
    this.#request.abort();
    const { signal } = (this.#request = new AbortController());
    this.isLoading = true;
    try {
      const nodes: Item[] = [];
      let next = after;
      do {
        const page = await this.read(next, signal);
        nodes.push(...(page?.nodes ?? []));
        next = page?.pageInfo.hasNextPage === true ? page.pageInfo.endCursor : null;
      } while (next !== null && nodes.length < least);
      this.items = after === null ? nodes : [...(this.items ?? []), ...nodes];
      this.#after = next;
      this.hasMore = next !== null;
      this.problem = '';
      await this.loaded(nodes);
    } catch (error) {
      if (!signal.aborted) this.problem = messageOf(error);
    } finally {
      if (!signal.aborted) this.isLoading = false;
    }
  }
}
