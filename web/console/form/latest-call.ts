/** Calls the server when the user pauses, and keeps only the response to the last call. */

const PAUSE_MS = 250;

export class LatestCall {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request = new AbortController();

  /**
   * Replaces the call before it, whether that one still waits or has been sent.
   *
   * @param send starts the request; its failure is reported to nobody
   * @param show is given the response, unless the call was replaced or cancelled
   */
  schedule<Result>(send: (signal: AbortSignal) => Promise<Result>, show: (result: Result) => void): void {
    this.cancel();
    const { signal } = (this.#request = new AbortController());
    this.#timer = setTimeout(() => {
      send(signal).then(
        (result) => {
          if (!signal.aborted) show(result);
        },
        () => {},
      );
    }, PAUSE_MS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
  }
}
