/** Finds out whether what the items of a backup name comes before them, and counts them. */

import type { BackupEnd, BackupItem } from './format.ts';
import { BackupFileError } from './format.ts';

/** Memory grows with owners and maps, by their ids. */
export class References {
  readonly #owners = new Set<string>();
  readonly #maps = new Set<string>();
  #currentMap: string | null = null;
  #locations = 0;

  /** @throws BackupFileError naming the line */
  note(item: BackupItem, line: number): void {
    const assert = (isRight: boolean, what: string) => {
      if (!isRight)
        throw new BackupFileError(`is damaged: line ${line} is of ${what} that does not come before it.`);
    };
    switch (item.kind) {
      case 'meta':
        return;
      case 'owner':
        this.#owners.add(item.owner.id);
        return;
      case 'map':
        assert(this.#owners.has(item.map.ownerId), 'an owner');
        this.#maps.add(item.map.id);
        this.#currentMap = item.map.id;
        return;
      case 'location':
        assert(item.location.mapId === this.#currentMap, 'a map');
        this.#locations += 1;
        return;
      case 'idempotency':
        assert(
          item.scope.mapId === this.#currentMap && item.record.location.mapId === this.#currentMap,
          'a map',
        );
        return;
      case 'webhook':
        assert(item.webhook.mapId === this.#currentMap, 'a map');
        return;
      case 'token':
        assert(this.#owners.has(item.token.ownerId), 'an owner');
        assert(item.token.mapId === null || this.#maps.has(item.token.mapId), 'a map');
    }
  }

  /** @throws BackupFileError where the end counts otherwise */
  assertCounts({ maps, locations }: BackupEnd): void {
    if (maps !== this.#maps.size || locations !== this.#locations) {
      throw new BackupFileError('is damaged: its end counts other maps or locations than it holds.');
    }
  }
}
