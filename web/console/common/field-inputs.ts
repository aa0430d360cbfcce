/** Converts between the values of fields and the texts of a form. */

import type { Properties } from '../../shared/properties.ts';
import { valueOf } from '../../shared/properties.ts';
import type { MapDetailsFragment } from '../generated/operations.ts';

export type FieldDefinition = MapDetailsFragment['fields'][number];

export function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A number if the field is numeric and a double represents the text exactly; otherwise the text. */
export function valueOfText(type: FieldDefinition['type'], text: string): unknown {
  if (type !== 'number' || text.trim() === '') return text;
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text.trim() ? number : text;
}

export interface FieldChanges {
  readonly fields: Record<string, unknown>;
  readonly unset: string[];
}

/** The changes of a form to a location's properties. An empty text removes the field. */
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
  // Object.fromEntries also makes a key of `__proto__`; assignment would set the prototype.
  return { fields: Object.fromEntries(changed), unset };
}

export type Warning = 'number' | 'date' | 'phone' | 'url';

const FORMATS: Readonly<
  Partial<Record<FieldDefinition['type'], readonly [format: RegExp, warning: Warning]>>
> = {
  number: [/^\s*-?\d+(\.\d+)?\s*$/, 'number'],
  date: [/^\d{4}-\d{2}-\d{2}([Tt ].+)?$/, 'date'],
  phone: [/\d/, 'phone'],
  website: [/^https?:\/\/\S+$/i, 'url'],
  cta: [/^https?:\/\/\S+$/i, 'url'],
  image_link: [/^https?:\/\/\S+$/i, 'url'],
  audio: [/^https?:\/\/\S+$/i, 'url'],
};

/** Any value can be stored. Null if it fits the type of the field; otherwise the key of what it is not. */
export function warningOf(type: FieldDefinition['type'], text: string): Warning | null {
  const [format, warning] = FORMATS[type] ?? [];
  return text === '' || format === undefined || format.test(text) ? null : (warning ?? null);
}
