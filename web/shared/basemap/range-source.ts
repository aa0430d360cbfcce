/** Reads a PMTiles archive by byte ranges, and notices when the server has another file. */

import type { RangeResponse, Source } from 'pmtiles';

/**
 * The package's own `FetchSource` leaves the ranges to the browser's cache. Chromium's has parts of several files where
 * one was replaced, and mixes up concurrent ranges on Windows (https://issues.chromium.org/issues/40542704); others
 * have none. This one bypasses the cache, and asks for parts of the file that it read first only.
 */
export class RangeSource implements Source {
  readonly #url: string;
  readonly #onReplaced: () => void;
  #isReplaced = false;
  #etag: string | null = null;

  /** @param onReplaced called once, when the file is not the one that was read first */
  constructor(url: string, onReplaced: () => void) {
    this.#url = url;
    this.#onReplaced = onReplaced;
  }

  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  getKey(): string {
    return this.#url;
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const controller = new AbortController();
    const range = `bytes=${offset}-${offset + length - 1}`;
    const known = this.#etag;
    const response = await fetch(this.#url, {
      headers: { range, ...(known !== null && { 'if-range': known }) },
      cache: 'no-store',
      signal: controller.signal,
    });
    const { status, headers } = response;
    const etag = headers.get('etag');
    if (this.#isReplaced || (known !== null && status < 400 && (status !== 206 || etag !== known))) {
      // Leaves the rest of the whole file, which may be large.
      controller.abort();
      this.#report();
      // Not the package's EtagMismatch, after which it would go on by itself.
      throw new Error('The basemap was replaced.');
    }
    if (status !== 206) {
      controller.abort();
      throw new Error(`Reading the basemap failed with status ${status}.`);
    }
    this.#etag ??= etag;
    return { data: await response.arrayBuffer(), ...(etag !== null && { etag }) };
  }

  #report(): void {
    if (this.#isReplaced) return;
    this.#isReplaced = true;
    this.#onReplaced();
  }
}
