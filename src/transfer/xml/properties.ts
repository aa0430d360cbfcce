/** The named values of a record. */

import type { JsonObject } from '../../domain/json/json.ts';
import type { ServiceError } from '../../errors.ts';
import { badUserInput } from '../../errors.ts';

/** More than a location may have, yet few enough to compare with each other. */
export const MAX_VALUES = 1_000;

export class Properties {
  readonly #values = new Map<string, string>();

  /**
   * Equal values of a name are merged; different ones are all kept, under numbered names.
   *
   * @throws ServiceError BAD_USER_INPUT for too many values
   */
  add(name: string, value: string | null): void {
    if (value === null) return;
    let unique = name;
    for (let number = 2; this.#values.has(unique); number += 1) {
      if (this.#values.get(unique) === value) return;
      unique = `${name} (${number})`;
    }
    if (this.#values.size === MAX_VALUES) throw tooManyValues();
    this.#values.set(unique, value);
  }

  toObject(): JsonObject {
    return Object.fromEntries(this.#values);
  }
}

export function tooManyValues(): ServiceError {
  return badUserInput(`The record may have at most ${MAX_VALUES} values.`);
}
