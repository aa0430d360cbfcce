/** The server's own check of its collections (https://www.mongodb.com/docs/manual/reference/command/validate/). */

import { MongoServerError } from 'mongodb';

import type { Finding, Unlooked } from '../../examination.ts';
import { RESTORE_LAST } from '../../examination.ts';
import type { Collections, Database } from '../database.ts';

/** The collection is not there. */
const NAMESPACE_NOT_FOUND = 26;

export async function* findDamage(database: Database): AsyncGenerator<Finding | Unlooked> {
  for (const name of Object.keys(database.collections) as (keyof Collections)[]) {
    try {
      const answer = await database.validate(name);
      if (answer.valid !== false) continue;
      const errors = Array.isArray(answer.errors) ? answer.errors.map(String) : [];
      yield {
        check: 'integrity',
        message: `The collection ${name} is damaged: ${errors.slice(0, 3).join('; ')}.`,
        remedy: RESTORE_LAST,
      };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      if (!(cause instanceof MongoServerError)) throw error;
      if (cause.code === NAMESPACE_NOT_FOUND) continue;
      yield {
        check: 'integrity',
        unlooked: `The collection ${name} was not checked by the server: ${cause.message}`,
      };
      return;
    }
  }
}
