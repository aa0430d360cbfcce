/** Keeps an open map up to date with what others change: its locations, the map itself, and the user's role on it. */

import type { StreamConnection } from '../../../src/client/changes.ts';
import { followChanges } from '../../../src/client/changes.ts';
import { GraphqlError } from '../../shared/graphql.ts';
import { Polled } from '../common/polled.svelte.ts';
import type { Session } from '../common/session.svelte.ts';
import { EditedMapDocument, MapChangesDocument } from '../generated/operations.ts';
import type { LocationChange } from '../list/locations-store.svelte.ts';
import type { OthersChanges } from './others-changes.ts';

/** Milliseconds for which changes are collected, since they often come together. */
const COLLECT_MS = 300;
/** Milliseconds before a stream is opened again that the server has ended. */
const REOPEN_MS = 2_000;

interface LiveUpdatesOptions {
  readonly session: Session;
  readonly others: OthersChanges;
  readonly mapId: string;
}

export class LiveUpdates {
  readonly #options: LiveUpdatesOptions;
  readonly #connection: StreamConnection;
  readonly #map: Polled<null>;
  #isPaused = false;
  /** Position in the change log; undefined before the first event. */
  #cursor: string | undefined;
  #stream: AbortController | null = null;
  /** When the server ended a stream, in monotonic milliseconds. */
  #endedAt = -Infinity;
  #changes: LocationChange[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveUpdatesOptions) {
    this.#options = options;
    const { session } = options;
    this.#connection = {
      url: session.connection.url,
      signalOf: ({ signal }) => signal,
      post: ({ query, variables }, accept, signal) => session.stream(query, variables, accept, signal),
    };
    this.#map = new Polled((signal) => this.#readMap(signal));
  }

  /** @returns a function that stops it */
  watch(): () => void {
    const stopReading = this.#map.watch({ isLoaded: true });
    // A hidden page uses none of the few connections that a browser opens to a server.
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') this.#stream?.abort();
    };
    document.addEventListener('visibilitychange', onVisibility);
    void this.#follow();
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      stopReading();
      this.#isPaused = true;
      this.#stream?.abort();
      clearTimeout(this.#timer);
    };
  }

  /** Pauses during an import, whose rows are not to arrive one by one. After it, the list is loaded again. */
  setPaused(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    this.#cursor = undefined;
    if (isPaused) this.#stream?.abort();
    else void this.#follow();
  }

  async #readMap(signal: AbortSignal): Promise<null> {
    const { session, others, mapId } = this.#options;
    void this.#follow();
    try {
      const { map } = await session.request(EditedMapDocument, { id: mapId }, signal);
      if (!signal.aborted && map !== null) others.showMap(map);
    } catch (error) {
      if (signal.aborted || !(error instanceof GraphqlError) || error.code !== 'MAP_NOT_FOUND') throw error;
      others.showLoss();
    }
    return null;
  }

  /** Reads the stream of changes, unless it is open. */
  async #follow(): Promise<void> {
    const { mapId } = this.#options;
    if (this.#stream !== null || this.#isPaused || performance.now() - this.#endedAt < REOPEN_MS) return;
    const stream = (this.#stream = new AbortController());
    const operationAfter = (since: string | undefined) => ({
      query: MapChangesDocument.toString(),
      variables: { mapId, since },
    });
    const options = { since: this.#cursor, signal: stream.signal };
    try {
      for await (const change of followChanges<LocationChange>(this.#connection, operationAfter, options)) {
        this.#cursor = change.cursor;
        this.#collect(change);
      }
    } catch {
      // The next request for the map shows what is wrong.
    }
    this.#stream = null;
    if (stream.signal.aborted) return;
    this.#endedAt = performance.now();
    // The user may have lost access to the map.
    await this.#map.load();
  }

  #collect(change: LocationChange): void {
    // A list that is not requested yet will have it.
    if (change.kind === 'resync' && this.#options.others.isAhead) return;
    this.#changes.push(change);
    this.#timer ??= setTimeout(() => void this.#apply(), COLLECT_MS);
  }

  async #apply(): Promise<void> {
    const { others } = this.#options;
    if (!others.isBlocked) {
      const changes = this.#changes;
      this.#changes = [];
      await others.showChanges(changes);
    }
    this.#timer = undefined;
    if (this.#changes.length > 0) this.#timer = setTimeout(() => void this.#apply(), COLLECT_MS);
  }
}
