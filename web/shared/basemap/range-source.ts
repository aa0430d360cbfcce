/** Reads a PMTiles archive by byte ranges, and notices when the server has another file. */

import type { RangeResponse, Source } from 'pmtiles';
import { EtagMismatch } from 'pmtiles';

/**
 * The package's own `FetchSource` fails on a whole file in response to a range, which is how a server says that the part
 * in the browser's cache is of a former file.
 */
export class RangeSource implements Source {
  readonly #url: string;
  readonly #cache: RequestCache;
  readonly #onReplaced: () => void;
  #isReplaced = false;
  #etag: string | null = null;

  /**
   * @param cache `reload` to read nothing from the browser's cache
   * @param onReplaced called once, when the file is not the one that was read first, or the cache has a former one
   */
  constructor(url: string, cache: RequestCache, onReplaced: () => void) {
    this.#url = url;
    this.#cache = cache;
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
    const response = await fetch(this.#url, {
      headers: { range: `bytes=${offset}-${offset + length - 1}` },
      cache: this.#cache,
      signal: controller.signal,
    });
    const { status, headers } = response;
    const etag = headers.get('etag');
    const isOther = this.#etag !== null && etag !== this.#etag && status < 400;
    const isWhole = status === 200 && this.#cache !== 'reload';
    // The start of a shorter file is behind its end.
    const isShorter = status === 416 && this.#etag !== null;
    if (isOther || isWhole || isShorter || this.#isReplaced) {
      // Leaves the rest of a whole file, which may be large.
      controller.abort();
      this.#report();
      throw new EtagMismatch('The file was replaced.');
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
