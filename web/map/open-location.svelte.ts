/** The location whose card is open. */

import { GraphqlError } from '../shared/graphql.ts';
import type LocationCard from './LocationCard.svelte';
import type { LocationDetails, LocationsClient } from './locations-client.ts';

export class OpenLocation {
  /** Null if no card is open. */
  id = $state<string | null>(null);
  /** Null while it loads and after an error. */
  details = $state.raw<LocationDetails | null>(null);
  error = $state.raw<GraphqlError | null>(null);
  /** Null until it is loaded. */
  Card = $state.raw<typeof LocationCard | null>(null);
  readonly #client: LocationsClient;
  readonly #onLoaded: (details: LocationDetails | null) => void;
  #request = new AbortController();

  /** @param onLoaded called with the details, or null if the location does not exist */
  constructor(client: LocationsClient, onLoaded: (details: LocationDetails | null) => void) {
    this.#client = client;
    this.#onLoaded = onLoaded;
  }

  /** @param placeholder shown until the location is loaded */
  async open(id: string, placeholder: LocationDetails | null = null): Promise<void> {
    this.#request.abort();
    const { signal } = (this.#request = new AbortController());
    this.id = id;
    this.details = placeholder;
    this.error = null;
    try {
      const [details] = await Promise.all([this.#client.location(id, signal), this.loadCard()]);
      if (signal.aborted) return;
      if (details === null) this.error = new GraphqlError('LOCATION_NOT_FOUND', '');
      this.details = details;
      this.#onLoaded(details);
    } catch (error) {
      if (signal.aborted || !(error instanceof GraphqlError)) return;
      this.details = null;
      this.error = error;
    }
  }

  /** @throws GraphqlError if it cannot be loaded */
  async loadCard(): Promise<void> {
    try {
      this.Card ??= (await import('./LocationCard.svelte')).default;
    } catch (error) {
      throw new GraphqlError('NETWORK_ERROR', String(error));
    }
  }

  close(): void {
    this.#request.abort();
    this.id = null;
    this.details = null;
    this.error = null;
  }
}
