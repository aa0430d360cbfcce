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
    const known = this.#known.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#known.set(sql, statement);
    return statement;
  }

  tuples(sql: string, parameters: readonly SqlValue[]): SqlTuple[] {
    let statement = this.#ofTuples.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      statement.setReturnArrays(true);
      this.#ofTuples.set(sql, statement);
    }
    return statement.all(...parameters) as unknown as SqlTuple[];
  }

  clear(): void {
    this.#known.clear();
    this.#ofTuples.clear();
  }
}
