/** Warnings about values that can be stored but do not fit the types of their fields. */

import type { FileRow } from '../../../src/transfer/reader.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import type { Warning } from '../common/field-inputs.ts';
import { textOfValue, warningOf } from '../common/field-inputs.ts';

/** A value that does not fit its field. */
export interface RowWarning {
  readonly line: number;
  readonly field: string;
  /** Its beginning. */
  readonly value: string;
  readonly warning: Warning;
}

/** The first of many messages about rows. */
export interface Messages<Message> {
  readonly count: number;
  readonly first: readonly Message[];
}

/** Maximum number of messages shown. Files contain all of them. */
export const MAX_SHOWN = 20;
/** Characters shown of a value. */
const MAX_TEXT = 60;

export class RowWarnings {
  readonly #fields: readonly FieldDefinition[];
  readonly #first: RowWarning[] = [];
  #count = 0;

  constructor(fields: readonly FieldDefinition[]) {
    this.#fields = fields;
  }

  get messages(): Messages<RowWarning> {
    return { count: this.#count, first: this.#first };
  }

  add({ line }: FileRow, values: Readonly<Record<string, unknown>>): void {
    for (const { name, type } of this.#fields) {
      const text = Object.hasOwn(values, name) ? textOfValue(values[name]) : '';
      const warning = warningOf(type, text);
      if (warning === null) continue;
      this.#count += 1;
      if (this.#first.length < MAX_SHOWN)
        this.#first.push({ line, field: name, value: text.slice(0, MAX_TEXT), warning });
    }
  }
}
