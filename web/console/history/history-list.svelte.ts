/** The calls that changed a map's locations, loaded page by page, by a person or kind. */

import { messageOf } from '../common/messages.ts';
import type { Session } from '../common/session.svelte.ts';
import type { ByFragment, CallFragment } from '../generated/operations.ts';
import { HistoryDocument, SharingDocument } from '../generated/operations.ts';
import { actorText } from './actor-text.ts';
import type { CallKind } from './call-text.ts';
import { CALL_KINDS, SHOWN_NAMES } from './call-text.ts';
import type { HistoryClient, KnownLocation } from './history-client.ts';

export class HistoryList {
  /** Null until loaded. */
  calls = $state.raw<readonly CallFragment[] | null>(null);
  /** Whom to filter by: the unique name, and how it is shown. */
  readonly people = $derived.by(() =>
    [...new Map([...this.#authors, ...this.#members])].toSorted(([, a], [, b]) => a.localeCompare(b)),
  );
  /** A name; empty for everyone. */
  by = $state('');
  /** Empty for all. */
  kind = $state<CallKind | ''>('');
  /** The first locations of each call, by id. */
  locations = $state.raw<ReadonlyMap<string, KnownLocation>>(new Map());
  hasMore = $state(false);
  isLoading = $state(false);
  problem = $state('');
  readonly #session: Session;
  readonly #mapId: string;
  readonly #client: HistoryClient;
  #members = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** Those who made the changes loaded, members or not. */
  #authors = $state.raw<ReadonlyMap<string, string>>(new Map());
  #after: string | null = null;
  #request = new AbortController();

  constructor(session: Session, mapId: string, client: HistoryClient) {
    this.#session = session;
    this.#mapId = mapId;
    this.#client = client;
  }

  get isFiltered(): boolean {
    return this.by !== '' || this.kind !== '';
  }

  /** Loads the first page. Never rejects. */
  load(): Promise<void> {
    return this.#load(null);
  }

  more(): Promise<void> {
    return this.#load(this.#after);
  }

  /** The members can be filtered by, also if their changes are on later pages. Never rejects. */
  async loadMembers(): Promise<void> {
    try {
      const { map } = await this.#session.request(SharingDocument, { id: this.#mapId, isOwner: false });
      this.#members = new Map((map?.members ?? []).map(({ name, displayName }) => [name, displayName]));
    } catch {
      // Those who made the changes shown can still be filtered by.
    }
  }

  async #load(after: string | null): Promise<void> {
    this.#request.abort();
    const { signal } = (this.#request = new AbortController());
    this.isLoading = true;
    const filter = {
      by: this.by === '' ? null : this.by,
      operations: this.kind === '' ? null : [...CALL_KINDS[this.kind].operations],
    };
    try {
      const { map } = await this.#session.request(
        HistoryDocument,
        { id: this.#mapId, filter, after },
        signal,
      );
      const { nodes = [], pageInfo } = map?.history ?? {};
      this.calls = after === null ? nodes : [...(this.calls ?? []), ...nodes];
      this.#after = pageInfo?.endCursor ?? null;
      this.hasMore = pageInfo?.hasNextPage ?? false;
      this.problem = '';
      this.#authors = new Map([...this.#authors, ...nodes.flatMap(({ by }) => authorOf(by))]);
      const ids = nodes.flatMap(({ locationIds }) => locationIds.slice(0, SHOWN_NAMES));
      this.locations = new Map([...this.locations, ...(await this.#client.find([...new Set(ids)]))]);
    } catch (error) {
      if (!signal.aborted) this.problem = messageOf(error);
    } finally {
      if (!signal.aborted) this.isLoading = false;
    }
  }
}

/** None if they were deleted. */
function authorOf(by: ByFragment): readonly (readonly [name: string, text: string])[] {
  if (by.owner !== null) return [[by.owner, by.kind === 'account' ? by.name : by.owner]];
  return by.name === '' ? [] : [[by.name, actorText(by)]];
}
