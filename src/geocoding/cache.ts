/**
 * The port for answers that are kept, and the one in memory. The terms they are kept under are in terms.ts; a store sees
 * nothing but texts, numbers and times.
 */

/** What a provider said of an address. */
export interface CachedPlace {
  readonly placeId: string;
  /** Degrees, exactly as the provider gave them. */
  readonly latitude: number;
  readonly longitude: number;
  /** A `GeocodingPrecision`; an entry with anything else counts as none. */
  readonly precision: string;
}

export interface CachedGeocode {
  /** 43 characters of base64url: stands for provider, scope and normalised address, and tells nothing of them. */
  readonly key: string;
  /** `google`, `nominatim` or `mapbox`. */
  readonly provider: string;
  /** The only map it may be used for, to be removed with the map; null where it is nobody's own. */
  readonly mapId: string | null;
  /** Null: the provider knows no such address. */
  readonly place: CachedPlace | null;
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
  /** From then on it must not be given, and is to be removed; milliseconds since the epoch, null is without limit. */
  readonly expiresAt: number | null;
}

export interface GeocodeCache {
  /**
   * The entry with that key, or null; never one that has expired.
   *
   * @param now milliseconds since the epoch
   * @throws anything: it counts as if there were no entry
   */
  get(key: string, now: number): Promise<CachedGeocode | null>;
  /**
   * Keeps the entry in the place of an earlier one with its key.
   *
   * @throws anything: the answer is given all the same, and will be asked for again
   */
  put(entry: CachedGeocode): Promise<void>;
}

/** Forgets the least recently used first. For tests, and for a process without a store. */
export class MemoryGeocodeCache implements GeocodeCache {
  readonly #entries = new Map<string, CachedGeocode>();
  readonly #limit: number;

  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string, now: number): Promise<CachedGeocode | null> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return Promise.resolve(null);
    this.#entries.delete(key);
    if (entry.expiresAt !== null && entry.expiresAt <= now) return Promise.resolve(null);
    this.#entries.set(key, entry);
    return Promise.resolve(entry);
  }

  put(entry: CachedGeocode): Promise<void> {
    this.#entries.delete(entry.key);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= this.#limit) this.#entries.delete(oldest);
    this.#entries.set(entry.key, entry);
    return Promise.resolve();
  }
}
