/** Filter conditions: how the user chooses them, how they are shown, and their filters in the API. */

import type { CategoryValue } from '../../../src/domain/categories.ts';
import { spellingsOf } from '../../../src/domain/categories.ts';
import { t } from '../common/messages.ts';
import type {
  BboxInput,
  GeocodingFilter,
  GeocodingPrecision,
  LocationFilter,
  PropertyFilter,
  TimeRange,
} from '../generated/operations.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import { PRECISIONS, precisionText } from '../common/precision.ts';

/** What a condition compares: a field of the map, or an attribute of every location. */
export type Subject =
  | { readonly kind: 'field'; readonly field: FieldDefinition }
  | { readonly kind: (typeof COMMON_SUBJECTS)[number] };

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
      /** Of `is`: the values that count as `value`; by default its spellings. */
      readonly values?: readonly CategoryValue[];
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

const OPERATORS: Readonly<Record<ValueKind, readonly Operator[]>> = {
  text: ['prefix', 'is'],
  number: ['is', 'from', 'to', 'between'],
  day: ['is', 'from', 'to', 'between'],
  precision: ['is', 'isNot'],
  flag: ['yes', 'no'],
};
const PRESENCE: readonly Operator[] = ['exists', 'missing'];

/** Operators for the subject, with their labels. The first is the default. */
export function operatorsOf(subject: Subject): readonly (readonly [operator: Operator, label: string])[] {
  const kind = valueKindOf(subject);
  const operators = subject.kind === 'externalId' ? (['is'] as const) : OPERATORS[kind];
  return [...operators, ...(subject.kind === 'field' ? PRESENCE : [])].map((operator) => [
    operator,
    kind === 'day' && (operator === 'is' || operator === 'from' || operator === 'to')
      ? t(`operator.day.${operator}`)
      : t(`operator.${operator}`),
  ]);
}

/** Number of values that an operator takes. */
export function valueCountOf(operator: Operator): 0 | 1 | 2 {
  if (['exists', 'missing', 'yes', 'no'].includes(operator)) return 0;
  return operator === 'between' ? 2 : 1;
}

/** The values to choose from, with their labels; null if any value can be typed. */
export function choicesOf(subject: Subject): readonly (readonly [value: string, label: string])[] | null {
  return subject.kind === 'precision' ? PRECISIONS.map((one) => [one, precisionText(one)]) : null;
}

/** Attributes of every location. */
export const COMMON_SUBJECTS = [
  'createdAt',
  'updatedAt',
  'externalId',
  'precision',
  'isChecked',
  'isAmbiguous',
] as const;

export function subjectName(subject: Subject): string {
  return subject.kind === 'field' ? subject.field.name : t(`subject.${subject.kind}`);
}

/** Such as `Seats is at least 10`. */
export function textOfCondition(condition: Condition): string {
  if (!('operator' in condition)) return condition.text;
  const { subject, operator, value, to } = condition;
  if (operator === 'yes') return subjectName(subject);
  if (operator === 'no')
    return t(subject.kind === 'isChecked' ? 'condition.unchecked' : 'condition.unambiguous');
  const label = operatorsOf(subject).find(([one]) => one === operator)?.[1] ?? operator;
  const shown = choicesOf(subject)?.find(([one]) => one === value)?.[1] ?? value;
  const count = valueCountOf(operator);
  const values = count === 2 ? t('condition.range', { from: shown, to }) : count === 1 ? shown : '';
  return t('condition.text', { subject: subjectName(subject), operator: label, value: values }).trim();
}

/** The value that a field must have; empty if it may have any. */
export function requiredValue(conditions: readonly Condition[], field: string): string {
  return conditions.find((one) => requires(one, field))?.value ?? '';
}

/**
 * The conditions, but with the value that the field must have.
 *
 * @param value empty for any
 * @param values those that count as it
 */
export function withRequiredValue(
  conditions: readonly Condition[],
  field: FieldDefinition,
  value: string,
  values: readonly CategoryValue[],
): readonly Condition[] {
  const others = conditions.filter((one) => !requires(one, field.name));
  if (value === '') return others;
  return [...others, { subject: { kind: 'field', field }, operator: 'is', value, to: '', values }];
}

function requires(condition: Condition, field: string): condition is Choice {
  if (!('operator' in condition) || condition.operator !== 'is') return false;
  return condition.subject.kind === 'field' && condition.subject.field.name === field;
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

function propertyOf({ operator, value, to, values }: Choice, kind: ValueKind): Omit<PropertyFilter, 'name'> {
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
      return kind === 'number' ? { eq: Number(value) } : { in: [...(values ?? spellingsOf(value))] };
  }
}

function geocodingOf({ subject, operator, value }: Choice): GeocodingFilter {
  if (subject.kind !== 'precision') return { [subject.kind]: operator === 'yes' };
  const all: readonly GeocodingPrecision[] = PRECISIONS;
  return { precision: all.filter((precision) => (precision === value) === (operator === 'is')) };
}

/** Days in the user's time zone. */
function timesOf({ operator, value, to }: Choice): TimeRange {
  const begin = (day: string) => new Date(`${day}T00:00:00`).toISOString();
  const end = (day: string) => new Date(`${day}T23:59:59.999`).toISOString();
  if (operator === 'from') return { from: begin(value) };
  if (operator === 'to') return { to: end(value) };
  return { from: begin(value), to: end(operator === 'between' ? to : value) };
}
