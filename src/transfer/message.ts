/** What readers say about files and rows: sentences in English, which pages can translate. */

import { ServiceError } from '../errors.ts';

export interface Message {
  /** In English. */
  readonly text: string;
  /**
   * By which pages find the text in their language; null for details in English only. Keys of advice about options of
   * the command line begin with `option`.
   */
  readonly key: string | null;
  readonly values: Readonly<Record<string, MessageValue>>;
}

/** A list has names. */
export type MessageValue = string | number | readonly string[] | Message;

/** Maximum characters shown of a value of the file. */
export const MAX_SHOWN = 60;
const MAX_VALUE_LENGTH = 500;
const MAX_NAME_LENGTH = 60;

/** @param values long texts are shortened */
export function message(
  key: string,
  text: string,
  values: Readonly<Record<string, MessageValue>> = {},
): Message {
  const shown = Object.entries(values).map(([name, value]) => {
    if (typeof value === 'string') return [name, shorten(value, MAX_VALUE_LENGTH)];
    return [name, Array.isArray(value) ? value.map((one: string) => shorten(one, MAX_NAME_LENGTH)) : value];
  });
  return { text, key, values: Object.fromEntries(shown) as Message['values'] };
}

export function untranslated(text: string): Message {
  return { text, key: null, values: {} };
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** The row cannot become a location. */
export class RowError extends ServiceError {
  readonly problem: Message;

  constructor(problem: Message) {
    super('BAD_USER_INPUT', problem.text);
    this.problem = problem;
  }
}

export function rowError(...args: Parameters<typeof message>): RowError {
  return new RowError(message(...args));
}

/** The message of a row's error. */
export function problemOf(error: ServiceError): Message {
  return error instanceof RowError ? error.problem : untranslated(error.message);
}

/** @param record its name, which begins the sentence */
export function inRecord(record: string, error: ServiceError): RowError {
  return rowError('inRecord', `${record}: ${error.message}`, { record, reason: problemOf(error) });
}
