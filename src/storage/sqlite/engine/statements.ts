/** The statements of a connection, each compiled once. */

import { LRUCache } from 'lru-cache';

import type { Database, SqlTuple, SqlValue, Statement } from './driver.ts';

/** There are a few dozen different statements. Those of pages come on top: they depend on what clients select. */
const MAX_STATEMENTS = 300;

export class Statements {
  readonly #database: Database;
  readonly #known = new LRUCache<string, Statement>({ max: MAX_STATEMENTS });
  readonly #ofTuples = new LRUCache<string, Statement>({ max: MAX_STATEMENTS });

  constructor(database: Database) {
    this.#database = database;
  }

  get(sql: string): Statement {
    return this.#memo(this.#known, sql, false);
  }

  tuples(sql: string, parameters: readonly SqlValue[]): SqlTuple[] {
    return this.#memo(this.#ofTuples, sql, true).all(...parameters) as unknown as SqlTuple[];
  }

  #memo(known: LRUCache<string, Statement>, sql: string, areTuples: boolean): Statement {
    const earlier = known.get(sql);
    if (earlier !== undefined) return earlier;
    const statement = this.#database.prepare(sql);
    if (areTuples) statement.setReturnArrays(true);
    known.set(sql, statement);
    return statement;
  }

  clear(): void {
    this.#known.clear();
    this.#ofTuples.clear();
  }
}
