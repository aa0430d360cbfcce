/** What of a map's settings was changed. Nothing else is sent, so that nothing is replaced that was not shown. */

import type { FieldDefinition } from './field-inputs.ts';
import type { KeysQuery, UpdateMapInput } from './generated/operations.ts';

type Stored = NonNullable<KeysQuery['map']>;
/** As their inputs hold them; an empty one is none. */
export type Keys = Record<keyof Stored, string>;

export interface Settings {
  readonly name: string;
  readonly fields: readonly FieldDefinition[];
  /** Null while they are not known. */
  readonly keys: Keys | null;
}

export function keysOf({ providerMapApiKey, geocodingApiKey }: Stored): Keys {
  return { providerMapApiKey: providerMapApiKey ?? '', geocodingApiKey: geocodingApiKey ?? '' };
}

export function changedSettings(stored: Settings, written: Settings): Omit<UpdateMapInput, 'id'> {
  return {
    ...(written.name !== stored.name && { name: written.name }),
    ...(!areSameFields(written.fields, stored.fields) && { fields: written.fields.map(plain) }),
    ...changedKeys(stored.keys, written.keys),
  };
}

/** An empty key is removed. */
function changedKeys(stored: Keys | null, written: Keys | null) {
  if (stored === null || written === null) return {};
  const { providerMapApiKey, geocodingApiKey } = written;
  return {
    ...(providerMapApiKey !== stored.providerMapApiKey && { providerMapApiKey: providerMapApiKey || null }),
    ...(geocodingApiKey !== stored.geocodingApiKey && { geocodingApiKey: geocodingApiKey || null }),
  };
}

export function areSameFields(some: readonly FieldDefinition[], others: readonly FieldDefinition[]): boolean {
  return JSON.stringify(some.map(plain)) === JSON.stringify(others.map(plain));
}

const plain = ({ name, type, isPublic }: FieldDefinition) => ({ name, type, isPublic });
