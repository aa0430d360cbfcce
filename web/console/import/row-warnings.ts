/** Warnings about values that can be stored but do not fit the types of their fields. */

import type { FileRow } from '../../../src/transfer/reader.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import { textOfValue, warningOf } from '../common/field-inputs.ts';

/** A message about a row. */
export interface RowMessage {
  readonly line: number;
  readonly text: string;
}

/** The first of many messages. */
export interface Messages {
  readonly count: number;
  readonly first: readonly RowMessage[];
}

/** Maximum number of messages shown. Files contain all of them. */
export const MAX_SHOWN = 20;
/** Characters shown of a value. */
const MAX_TEXT = 60;

const WARNINGS = {
  number: 'is not a number',
  date: 'is not a date such as 2024-05-31',
  phone: 'is not a phone number',
  url: 'is not a URL starting with https://',
};

export class RowWarnings {
  readonly #fields: readonly FieldDefinition[];
  readonly #first: RowMessage[] = [];
  #count = 0;

  constructor(fields: readonly FieldDefinition[]) {
    this.#fields = fields;
  }

  get messages(): Messages {
    return { count: this.#count, first: this.#first };
  }

  add({ line }: FileRow, values: Readonly<Record<string, unknown>>): void {
    for (const { name, type } of this.#fields) {
      const text = Object.hasOwn(values, name) ? textOfValue(values[name]) : '';
      const warning = warningOf(type, text);
      if (warning === null) continue;
      this.#count += 1;
      if (this.#first.length < MAX_SHOWN)
        this.#first.push({ line, text: `${name}: “${text.slice(0, MAX_TEXT)}” ${WARNINGS[warning]}` });
    }
  }
}
