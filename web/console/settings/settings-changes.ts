/** The changed settings of a map. Only these are sent, so that unchanged ones are not overedited. */

import type { FieldDefinition } from '../common/field-inputs.ts';
import type { KeysQuery, UpdateMapInput } from '../generated/operations.ts';

type Stored = NonNullable<KeysQuery['map']>;
/** Texts of the inputs; empty for no key. */
export type Keys = Record<keyof Stored, string>;

export interface Settings {
  readonly name: string;
  readonly fields: readonly FieldDefinition[];
  /** Null until loaded. */
  readonly keys: Keys | null;
}

export function keysOf({ providerMapApiKey, geocodingApiKey }: Stored): Keys {
  return { providerMapApiKey: providerMapApiKey ?? '', geocodingApiKey: geocodingApiKey ?? '' };
}

export function changedSettings(stored: Settings, edited: Settings): Omit<UpdateMapInput, 'id'> {
  return {
    ...(edited.name !== stored.name && { name: edited.name }),
    ...(!areSameFields(edited.fields, stored.fields) && { fields: edited.fields.map(plain) }),
    ...changedKeys(stored.keys, edited.keys),
  };
}

/** An empty text removes the key. */
function changedKeys(stored: Keys | null, edited: Keys | null) {
  if (stored === null || edited === null) return {};
  const { providerMapApiKey, geocodingApiKey } = edited;
  return {
    ...(providerMapApiKey !== stored.providerMapApiKey && { providerMapApiKey: providerMapApiKey || null }),
    ...(geocodingApiKey !== stored.geocodingApiKey && { geocodingApiKey: geocodingApiKey || null }),
  };
}

export function areSameFields(some: readonly FieldDefinition[], others: readonly FieldDefinition[]): boolean {
  return JSON.stringify(some.map(plain)) === JSON.stringify(others.map(plain));
}

const plain = ({ name, type, isPublic }: FieldDefinition) => ({ name, type, isPublic });
