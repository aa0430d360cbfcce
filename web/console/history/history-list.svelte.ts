/** The calls that changed a map's locations, loaded page by page, by a person or kind. */

import { currentLocale } from '../../shared/i18n/translate.ts';
import type { Session } from '../common/session.svelte.ts';
import type { ByFragment, CallFragment } from '../generated/operations.ts';
import { HistoryDocument, SharingDocument } from '../generated/operations.ts';
import { actorText } from './actor-text.ts';
import type { CallKind } from './call-text.ts';
import { CALL_KINDS, SHOWN_NAMES } from './call-text.ts';
import type { HistoryClient, KnownLocation } from './history-client.ts';
import { PagedList } from './paged-list.svelte.ts';

export class HistoryList extends PagedList<CallFragment> {
  /** Whom to filter by: the unique name, and how it is shown. */
  readonly people = $derived.by(() =>
    [...new Map([...this.#authors, ...this.#members])].toSorted(([, a], [, b]) =>
      a.localeCompare(b, currentLocale()),
    ),
  );
  /** A name; empty for everyone. */
  by = $state('');
  /** Empty for all. */
  kind = $state<CallKind | ''>('');
  /** The first locations of each call, by id. */
  locations = $state.raw<ReadonlyMap<string, KnownLocation>>(new Map());
  readonly #session: Session;
  readonly #mapId: string;
  readonly #client: HistoryClient;
  #members = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** Those who made the changes loaded, members or not. */
  #authors = $state.raw<ReadonlyMap<string, string>>(new Map());

  constructor(session: Session, mapId: string, client: HistoryClient) {
    super();
    this.#session = session;
    this.#mapId = mapId;
    this.#client = client;
  }

  get isFiltered(): boolean {
    return this.by !== '' || this.kind !== '';
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

  protected async read(after: string | null, signal: AbortSignal) {
    const filter = {
      by: this.by === '' ? null : this.by,
      operations: this.kind === '' ? null : [...CALL_KINDS[this.kind]],
    };
    const variables = { id: this.#mapId, filter, after };
    return (await this.#session.request(HistoryDocument, variables, signal)).map?.history;
  }

  protected async loaded(calls: readonly CallFragment[]): Promise<void> {
    this.#authors = new Map([...this.#authors, ...calls.flatMap(({ by }) => authorOf(by))]);
    const ids = calls.flatMap(({ locationIds }) => locationIds.slice(0, SHOWN_NAMES));
    this.locations = new Map([...this.locations, ...(await this.#client.find([...new Set(ids)]))]);
  }
}

/** None if they were deleted. */
function authorOf(by: ByFragment): readonly (readonly [name: string, text: string])[] {
  if (by.owner !== null) return [[by.owner, by.kind === 'account' ? by.name : by.owner]];
  return by.name === '' ? [] : [[by.name, actorText(by)]];
}
