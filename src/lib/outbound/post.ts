/** A POST to an address that a client of ours has chosen, as what sends it sees it. */

export interface OutboundPost {
  /** May hold a secret: never show more of it than its host. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type PostResponse =
  | {
      readonly status: number;
      /** Seconds from now; undefined where the answer does not say. */
      readonly retryAfterSeconds: number | undefined;
    }
  | {
      /** No whole answer was received; `refused`: nothing was sent, since an address of the host is not allowed. */
      readonly failure: 'timeout' | 'disconnected' | 'refused';
      /** Node's, e.g. `ECONNREFUSED`. */
      readonly code: string;
    };

/**
 * Sends it once. Redirects are not followed.
 *
 * @param timeoutMs from looking up the name to the last byte of the answer
 * @throws the reason of `signal`, when that is aborted
 */
export type Post = (post: OutboundPost, timeoutMs: number, signal: AbortSignal) => Promise<PostResponse>;
