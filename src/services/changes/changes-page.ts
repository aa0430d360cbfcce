/** Changes that were read for all who have caught up. Their locations are loaded when the first of them wants them. */

import type { ChangeOffset, LoggedChange } from '../../storage/changes.ts';
import type { LocationChange } from './location-change.ts';
import type { MapLog } from './map-log.ts';

export class ChangesPage {
  /** In the log's order. */
  readonly changes: readonly LoggedChange[];
  readonly #log: MapLog;
  #loaded: Promise<readonly LocationChange[]> | null = null;

  constructor(log: MapLog, changes: readonly LoggedChange[]) {
    this.#log = log;
    this.changes = changes;
  }

  /** One for each change. All who ask get the very same objects. */
  get loaded(): Promise<readonly LocationChange[]> {
    this.#loaded ??= this.#log.load(this.changes);
    return this.#loaded;
  }

  /** Index of the first change after a place; the number of changes where there is none. */
  firstAfter({ number }: ChangeOffset): number {
    const index = this.changes.findIndex((change) => change.number > number);
    return index === -1 ? this.changes.length : index;
  }
}
