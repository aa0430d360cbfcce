/** Filter conditions: how the user chooses them, how they are shown, and their filters in the API. */

import type {
  BboxInput,
  GeocodingFilter,
  GeocodingPrecision,
  LocationFilter,
  PropertyFilter,
  TimeRange,
} from '../generated/operations.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import { PRECISIONS } from '../common/precision.ts';

/** What a condition compares: a field of the map, or an attribute of every location. */
export type Subject =
  | { readonly kind: 'field'; readonly field: FieldDefinition }
  | { readonly kind: keyof typeof COMMON_SUBJECTS };

export type Operator =
  'is' | 'isNot' | 'prefix' | 'from' | 'to' | 'between' | 'exists' | 'missing' | 'yes' | 'no';

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

export type ValueKind = 'text' | 'number' | 'day' | 'precision' | 'flag';

export function valueKindOf(subject: Subject): ValueKind {
  switch (subject.kind) {
    case 'field':
      if (subject.field.type === 'date') return 'day';
      return subject.field.type === 'number' ? 'number' : 'text';
    case 'externalId':
      return 'text';
    case 'createdAt':
    case 'updatedAt':
      return 'day';
    case 'precision':
      return 'precision';
    case 'isChecked':
    case 'isAmbiguous':
      return 'flag';
  }
}

const LABELS: Readonly<Record<ValueKind, Readonly<Partial<Record<Operator, string>>>>> = {
  text: { prefix: 'begins with', is: 'is' },
  number: { is: 'is', from: 'is at least', to: 'is at most', between: 'is between' },
  day: { is: 'is on', from: 'is on or after', to: 'is on or before', between: 'is between' },
  precision: { is: 'is', isNot: 'is not' },
  flag: { yes: 'yes', no: 'no' },
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
  if (['exists', 'missing', 'yes', 'no'].includes(operator)) return 0;
  return operator === 'between' ? 2 : 1;
}

/** The values to choose from, with their labels; null if any value can be typed. */
export function choicesOf(subject: Subject): readonly (readonly [value: string, label: string])[] | null {
  return subject.kind === 'precision' ? Object.entries(PRECISIONS) : null;
}

export const COMMON_SUBJECTS = {
  createdAt: 'Created',
  updatedAt: 'Changed',
  externalId: 'External ID',
  precision: 'Precision',
  isChecked: 'Checked',
  isAmbiguous: 'Ambiguous',
} as const;

export function subjectName(subject: Subject): string {
  return subject.kind === 'field' ? subject.field.name : COMMON_SUBJECTS[subject.kind];
}

/** Such as `Seats is at least 10`. */
export function textOfCondition(condition: Condition): string {
  if (!('operator' in condition)) return condition.text;
  const { subject, operator, value, to } = condition;
  if (operator === 'yes') return subjectName(subject);
  if (operator === 'no') return `Not ${subjectName(subject).toLowerCase()}`;
  const label = operatorsOf(subject).find(([one]) => one === operator)?.[1] ?? operator;
  const shown = choicesOf(subject)?.find(([one]) => one === value)?.[1] ?? value;
  const values = [shown, to].slice(0, valueCountOf(operator)).join(' and ');
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
    case 'createdAt':
    case 'updatedAt':
      return { [subject.kind]: timesOf(condition) };
    default:
      return { geocoding: geocodingOf(condition) };
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
    default:
      // A day includes all its times.
      if (kind === 'day') return { from: value, to: value };
      return kind === 'number' ? { eq: Number(value) } : { in: spellingsOf(value) };
  }
}

function geocodingOf({ subject, operator, value }: Choice): GeocodingFilter {
  if (subject.kind !== 'precision') return { [subject.kind]: operator === 'yes' };
  const all = Object.keys(PRECISIONS) as GeocodingPrecision[];
  return { precision: all.filter((precision) => (precision === value) === (operator === 'is')) };
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
