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

  async #load(after: string | null): Promise<void> {
    this.#request.abort();
    const { signal } = (this.#request = new AbortController());
    this.isLoading = true;
    try {
      const { nodes = [], pageInfo } = (await this.read(after, signal)) ?? {};
      this.items = after === null ? nodes : [...(this.items ?? []), ...nodes];
      this.#after = pageInfo?.endCursor ?? null;
      this.hasMore = pageInfo?.hasNextPage ?? false;
      this.problem = '';
      await this.loaded(nodes);
    } catch (error) {
      if (!signal.aborted) this.problem = messageOf(error);
    } finally {
      if (!signal.aborted) this.isLoading = false;
    }
  }
}
