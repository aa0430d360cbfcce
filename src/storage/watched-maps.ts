/** The maps of a change watch, and the timer that polls them while there are any. */

import type { ChangeWatch } from './changes.ts';

interface Watched {
  count: number;
  /** The state last reported; null before the first report. */
  state: string | null;
}

export interface WatchedMapsOptions {
  /** Initial polling interval. */
  readonly lookEveryMs: number;
  /** Polls the maps, and calls {@link WatchedMaps.tell} with their states. */
  readonly look: () => void;
  readonly onChange: (mapId: string) => void;
}

export class WatchedMaps implements ChangeWatch {
  readonly #options: WatchedMapsOptions;
  readonly #watched = new Map<string, Watched>();
  #lookEveryMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WatchedMapsOptions) {
    this.#options = options;
    this.#lookEveryMs = options.lookEveryMs;
  }

  get ids(): readonly string[] {
    return [...this.#watched.keys()];
  }

  /** Changes the polling interval. */
  lookEvery(milliseconds: number): void {
    if (milliseconds === this.#lookEveryMs) return;
    this.#lookEveryMs = milliseconds;
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = this.#startTimer();
  }

  /**
   * @param state differs when readers can read on, and when the map appears or is deleted; `missing` for an unknown map
   */
  tell(mapId: string, state = 'missing'): void {
    const map = this.#watched.get(mapId);
    if (map === undefined || map.state === state) return;
    map.state = state;
    this.#options.onChange(mapId);
  }

  add(mapId: string): void {
    this.#watched.set(mapId, { count: (this.#watched.get(mapId)?.count ?? 0) + 1, state: null });
    this.#timer ??= this.#startTimer();
  }

  remove(mapId: string): void {
    const map = this.#watched.get(mapId);
    if (map === undefined) return;
    map.count -= 1;
    if (map.count === 0) this.#watched.delete(mapId);
    this.#stopWhenIdle();
  }

  close(): void {
    this.#watched.clear();
    this.#stopWhenIdle();
  }

  #startTimer(): NodeJS.Timeout {
    return setInterval(this.#options.look, this.#lookEveryMs).unref();
  }

  #stopWhenIdle(): void {
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
