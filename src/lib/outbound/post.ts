/** The port for a POST to an address that a client has chosen, such as a webhook. */

export interface OutboundPost {
  /** May contain a secret: never log more than the host. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type PostResponse =
  | {
      readonly status: number;
      /** Seconds from now; undefined when the response has no Retry-After. */
      readonly retryAfterSeconds: number | undefined;
    }
  | {
      /** No complete response was received. `refused`: nothing was sent, because an address of the host is not allowed. */
      readonly failure: 'timeout' | 'disconnected' | 'refused';
      /** Node's code, such as `ECONNREFUSED`. */
      readonly code: string;
    };

/**
 * Sends the request once, without following redirects.
 *
 * @param timeoutMs from the DNS lookup to the last byte of the response
 * @throws the reason of `signal`, when it is aborted
 */
export type Post = (post: OutboundPost, timeoutMs: number, signal: AbortSignal) => Promise<PostResponse>;
