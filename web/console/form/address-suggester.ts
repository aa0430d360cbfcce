/** Suggests addresses while one is typed. Without suggestions the field stays a plain one, so no failure is reported. */

import { GraphqlError } from '../../shared/graphql.ts';
import type { SuggestAddressesQuery, SuggestAddressesQueryVariables } from '../generated/operations.ts';
import { LatestCall } from './latest-call.ts';

export type Suggestion = SuggestAddressesQuery['suggestAddresses'][number];
type Query = Pick<SuggestAddressesQueryVariables, 'text' | 'near'>;
type Send = (query: Query, signal: AbortSignal) => Promise<readonly Suggestion[]>;

/** Characters from which the API has suggestions. */
const MIN_LENGTH = 3;
/** Pause after a refusal without a time, as in the message that other forms show. */
const DEFAULT_PAUSE_SECONDS = 60;

export class AddressSuggester {
  readonly #send: Send;
  readonly #call = new LatestCall();
  /** Time before which no request is sent, in milliseconds since the epoch. */
  #pausedUntil = 0;
  #chosen: string | null = null;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Called for each change of the text by the user.
   *
   * @param near where addresses are preferred; null for no preference
   * @param show is given the suggestions for this text, unless the user has changed it meanwhile
   */
  suggest(text: string, near: Query['near'], show: (suggestions: readonly Suggestion[]) => void): void {
    this.#call.cancel();
    const typed = text.trim();
    if (typed !== this.#chosen) this.#chosen = null;
    const isPaused = Date.now() < this.#pausedUntil;
    if ([...typed].length < MIN_LENGTH || typed === this.#chosen || isPaused) return show([]);
    this.#call.schedule((signal) => this.#ask({ text: typed, near }, signal), show);
  }

  /** The user has chosen an address, which needs no suggestions. */
  choose(address: string): void {
    this.cancel();
    this.#chosen = address.trim();
  }

  cancel(): void {
    this.#call.cancel();
  }

  async #ask(query: Query, signal: AbortSignal): Promise<readonly Suggestion[]> {
    try {
      return await this.#send(query, signal);
    } catch (error) {
      if (error instanceof GraphqlError) this.#pauseAfter(error);
      return [];
    }
  }

  #pauseAfter({ code, retryAfter }: GraphqlError): void {
    if (code === 'SUGGESTIONS_UNAVAILABLE') this.#pausedUntil = Number.POSITIVE_INFINITY;
    if (code === 'RATE_LIMITED') {
      this.#pausedUntil = Date.now() + (retryAfter ?? DEFAULT_PAUSE_SECONDS) * 1_000;
    }
  }
}

/** As in the address field. */
export function addressOf({ label, description }: Suggestion): string {
  return description === null ? label : `${label}, ${description}`;
}
