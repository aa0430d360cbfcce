/** Fields as a form shows them, and what a form's texts mean. */

import type { Properties } from '../shared/properties.ts';
import { valueOf } from '../shared/properties.ts';
import type { DeskMapFragment } from './generated/operations.ts';

export type FieldDefinition = DeskMapFragment['fields'][number];

export function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A number where the field is one and the text is one that a double holds; else the text. */
export function valueOfText(type: FieldDefinition['type'], text: string): unknown {
  if (type !== 'number' || text.trim() === '') return text;
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text.trim() ? number : text;
}

export interface FieldChanges {
  readonly fields: Record<string, unknown>;
  readonly unset: string[];
}

/** What a form changed of a location's properties; empty texts remove a field. */
export function changesOf(
  definitions: readonly FieldDefinition[],
  properties: Properties,
  texts: Readonly<Record<string, string>>,
): FieldChanges {
  const changed: [name: string, value: unknown][] = [];
  const unset: string[] = [];
  for (const { name, type } of definitions) {
    const text = texts[name] ?? '';
    if (text === textOfValue(valueOf(properties, name))) continue;
    if (text === '') unset.push(name);
    else changed.push([name, valueOfText(type, text)]);
  }
  // Assigning to a field `__proto__` would change the object's prototype; this makes a key of it.
  return { fields: Object.fromEntries(changed), unset };
}

const DOUBTS: Readonly<Partial<Record<FieldDefinition['type'], readonly [fits: RegExp, doubt: string]>>> = {
  number: [/^\s*-?\d+(\.\d+)?\s*$/, 'is not a number'],
  date: [/^\d{4}-\d{2}-\d{2}([Tt ].+)?$/, 'is not a date such as 2024-05-31'],
  phone: [/\d/, 'is not a phone number'],
  website: [/^https?:\/\/\S+$/i, 'is not a web address that begins with https://'],
  cta: [/^https?:\/\/\S+$/i, 'is not a web address that begins with https://'],
  image_link: [/^https?:\/\/\S+$/i, 'is not a web address that begins with https://'],
  audio: [/^https?:\/\/\S+$/i, 'is not a web address that begins with https://'],
};

/** Every value may be stored. Null where the text is what the type wants, else how it is not, as a sentence's end. */
export function doubtOf(type: FieldDefinition['type'], text: string): string | null {
  const [fits, doubt] = DOUBTS[type] ?? [];
  return text === '' || fits === undefined || fits.test(text) ? null : (doubt ?? null);
}
