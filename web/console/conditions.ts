/** What a reader asks the list for, condition by condition: how each is chosen, said, and put to the API. */

import type { BboxInput, LocationFilter, PropertyFilter, TimeRange } from './generated/operations.ts';
import type { FieldDefinition } from './field-inputs.ts';

/** What a condition is about: a field of the map, or what every location has. */
export type Subject =
  | { readonly kind: 'field'; readonly field: FieldDefinition }
  | { readonly kind: 'externalId' | 'createdAt' | 'updatedAt' };

export type Operator = 'is' | 'prefix' | 'from' | 'to' | 'between' | 'exists' | 'missing';

export type Condition =
  | {
      readonly subject: Subject;
      readonly operator: Operator;
      /** As typed; a day (`YYYY-MM-DD`) where the subject is a date or a time. */
      readonly value: string;
      /** The other end of `between`. */
      readonly to: string;
    }
  | { readonly subject: { readonly kind: 'place' }; readonly box: BboxInput; readonly text: string };

export type ValueKind = 'text' | 'number' | 'day';

export function valueKindOf(subject: Subject): ValueKind {
  if (subject.kind === 'externalId') return 'text';
  if (subject.kind !== 'field' || subject.field.type === 'date') return 'day';
  return subject.field.type === 'number' ? 'number' : 'text';
}

const WORDS: Readonly<Record<ValueKind, Readonly<Partial<Record<Operator, string>>>>> = {
  text: { prefix: 'begins with', is: 'is' },
  number: { is: 'is', from: 'is at least', to: 'is at most', between: 'is between' },
  day: { is: 'is on', from: 'is on or after', to: 'is on or before', between: 'is between' },
};
const PRESENCE = { exists: 'is filled in', missing: 'is empty' } as const;

/** The operators that fit, each with its words. The first one is the usual one. */
export function operatorsOf(subject: Subject): readonly (readonly [operator: Operator, words: string])[] {
  if (subject.kind === 'externalId') return [['is', 'is']];
  const words = { ...WORDS[valueKindOf(subject)], ...(subject.kind === 'field' && PRESENCE) };
  return Object.entries(words) as [Operator, string][];
}

/** How many values an operator takes. */
export function valueCountOf(operator: Operator): 0 | 1 | 2 {
  if (operator === 'exists' || operator === 'missing') return 0;
  return operator === 'between' ? 2 : 1;
}

export const COMMON_SUBJECTS = {
  createdAt: 'Created',
  updatedAt: 'Changed',
  externalId: 'External id',
} as const;

export function subjectName(subject: Subject): string {
  return subject.kind === 'field' ? subject.field.name : COMMON_SUBJECTS[subject.kind];
}

/** As a sentence's part: `Seats is at least 10`. */
export function textOfCondition(condition: Condition): string {
  if (!('operator' in condition)) return condition.text;
  const { subject, operator, value, to } = condition;
  const words = operatorsOf(subject).find(([one]) => one === operator)?.[1] ?? operator;
  const values = [value, to].slice(0, valueCountOf(operator)).join(' and ');
  return [subjectName(subject), words, values].filter((part) => part !== '').join(' ');
}

/** Null lets everything through. */
export function filterOf(search: string | null, conditions: readonly Condition[]): LocationFilter | null {
  const parts = [...(search === null ? [] : [{ search }]), ...conditions.map(partOf)];
  if (parts.length > 1) return { and: parts };
  return parts[0] ?? null;
}

function partOf(condition: Condition): LocationFilter {
  if (!('operator' in condition)) return { bbox: condition.box };
  const { subject } = condition;
  switch (subject.kind) {
    case 'field':
      return { property: { name: subject.field.name, ...propertyOf(condition, valueKindOf(subject)) } };
    case 'externalId':
      return { externalIds: [condition.value] };
    default:
      return { [subject.kind]: timesOf(condition) };
  }
}

type Choice = Extract<Condition, { operator: Operator }>;

function propertyOf({ operator, value, to }: Choice, kind: ValueKind): Omit<PropertyFilter, 'name'> {
  const bound = (text: string) => (kind === 'number' ? Number(text) : text);
  switch (operator) {
    case 'exists':
    case 'missing':
      return { exists: operator === 'exists' };
    case 'prefix':
      return { prefix: value };
    case 'from':
      return { from: bound(value) };
    case 'to':
      return { to: bound(value) };
    case 'between':
      return { from: bound(value), to: bound(to) };
    case 'is':
      // A day is all of it.
      if (kind === 'day') return { from: value, to: value };
      return kind === 'number' ? { eq: Number(value) } : { in: spellingsOf(value) };
  }
}

/** A program may have stored a number or a truth value where the reader sees a text. */
function spellingsOf(text: string): unknown[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  const number = Number(text);
  return text !== '' && String(number) === text && Number.isFinite(number) ? [text, number] : [text];
}

/** Days as the reader's clock has them. */
function timesOf({ operator, value, to }: Choice): TimeRange {
  const begin = (day: string) => new Date(`${day}T00:00:00`).toISOString();
  const end = (day: string) => new Date(`${day}T23:59:59.999`).toISOString();
  if (operator === 'from') return { from: begin(value) };
  if (operator === 'to') return { to: end(value) };
  return { from: begin(value), to: end(operator === 'between' ? to : value) };
}
