/** Filter conditions: how the user chooses them, how they are shown, and their filters in the API. */

import type { BboxInput, LocationFilter, PropertyFilter, TimeRange } from '../generated/operations.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';

/** What a condition compares: a field of the map, or an attribute of every location. */
export type Subject =
  | { readonly kind: 'field'; readonly field: FieldDefinition }
  | { readonly kind: 'externalId' | 'createdAt' | 'updatedAt' };

export type Operator = 'is' | 'prefix' | 'from' | 'to' | 'between' | 'exists' | 'missing';

export type Condition =
  | {
      readonly subject: Subject;
      readonly operator: Operator;
      /** As typed; a day (`YYYY-MM-DD`) if the subject is a date or a time. */
      readonly value: string;
      /** The upper bound of `between`. */
      readonly to: string;
    }
  | { readonly subject: { readonly kind: 'box' }; readonly box: BboxInput; readonly text: string };

export type ValueKind = 'text' | 'number' | 'day';

export function valueKindOf(subject: Subject): ValueKind {
  if (subject.kind === 'externalId') return 'text';
  if (subject.kind !== 'field' || subject.field.type === 'date') return 'day';
  return subject.field.type === 'number' ? 'number' : 'text';
}

const LABELS: Readonly<Record<ValueKind, Readonly<Partial<Record<Operator, string>>>>> = {
  text: { prefix: 'begins with', is: 'is' },
  number: { is: 'is', from: 'is at least', to: 'is at most', between: 'is between' },
  day: { is: 'is on', from: 'is on or after', to: 'is on or before', between: 'is between' },
};
const PRESENCE = { exists: 'is filled in', missing: 'is empty' } as const;

/** Operators for the subject, with their labels. The first is the default. */
export function operatorsOf(subject: Subject): readonly (readonly [operator: Operator, label: string])[] {
  if (subject.kind === 'externalId') return [['is', 'is']];
  const labels = { ...LABELS[valueKindOf(subject)], ...(subject.kind === 'field' && PRESENCE) };
  return Object.entries(labels) as [Operator, string][];
}

/** Number of values that an operator takes. */
export function valueCountOf(operator: Operator): 0 | 1 | 2 {
  if (operator === 'exists' || operator === 'missing') return 0;
  return operator === 'between' ? 2 : 1;
}

export const COMMON_SUBJECTS = {
  createdAt: 'Created',
  updatedAt: 'Changed',
  externalId: 'External ID',
} as const;

export function subjectName(subject: Subject): string {
  return subject.kind === 'field' ? subject.field.name : COMMON_SUBJECTS[subject.kind];
}

/** Such as `Seats is at least 10`. */
export function textOfCondition(condition: Condition): string {
  if (!('operator' in condition)) return condition.text;
  const { subject, operator, value, to } = condition;
  const label = operatorsOf(subject).find(([one]) => one === operator)?.[1] ?? operator;
  const values = [value, to].slice(0, valueCountOf(operator)).join(' and ');
  return [subjectName(subject), label, values].filter((part) => part !== '').join(' ');
}

/** Null matches all locations. */
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
      // A day includes all its times.
      if (kind === 'day') return { from: value, to: value };
      return kind === 'number' ? { eq: Number(value) } : { in: spellingsOf(value) };
  }
}

/** The value as text, and as the number or boolean that looks the same. */
function spellingsOf(text: string): unknown[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  const number = Number(text);
  return text !== '' && String(number) === text && Number.isFinite(number) ? [text, number] : [text];
}

/** Days in the user's time zone. */
function timesOf({ operator, value, to }: Choice): TimeRange {
  const begin = (day: string) => new Date(`${day}T00:00:00`).toISOString();
  const end = (day: string) => new Date(`${day}T23:59:59.999`).toISOString();
  if (operator === 'from') return { from: begin(value) };
  if (operator === 'to') return { to: end(value) };
  return { from: begin(value), to: end(operator === 'between' ? to : value) };
}
