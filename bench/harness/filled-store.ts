/** A store with an owner, tokens and maps. */

export interface FilledStore {
  readonly url: string;
  /** The owner's token of scope read. */
  readonly readToken: string;
  readonly writeToken: string;
  readonly mapIds: readonly string[];
}

export interface SqliteStore extends FilledStore {
  readonly path: string;
  readonly mapId: string;
}

export function toSqliteStore(store: Omit<FilledStore, 'url'>, path: string): SqliteStore {
  return { ...store, url: `sqlite:${path}`, path, mapId: store.mapIds[0] ?? '' };
}
