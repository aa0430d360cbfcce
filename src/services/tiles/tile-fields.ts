/** The fields of a map in its tiles. */

import type { FieldDefinition } from '../../domain/map.ts';

/** What every feature may have besides the fields. */
export const FEATURE_KEYS = ['id', 'name', 'point_count'] as const;

export interface TileField extends FieldDefinition {
  /** The field's key in features and in the TileJSON. */
  readonly key: string;
}

/** @param wanted names separated by commas; undefined for all. Unknown names are ignored */
export function tileFields(
  fields: readonly FieldDefinition[],
  wanted: string | undefined,
): readonly TileField[] {
  const keyed = withKeys(fields);
  // Names may contain commas themselves.
  return wanted === undefined ? keyed : keyed.filter(({ name }) => `,${wanted},`.includes(`,${name},`));
}

function withKeys(fields: readonly FieldDefinition[]): readonly TileField[] {
  const taken = new Set(fields.map(({ name }) => name));
  return fields.map((field) => {
    let key = field.name;
    if (isReserved(key)) {
      do key = `$${key}`;
      while (taken.has(key));
    }
    taken.add(key);
    return { ...field, key };
  });
}

/** The encoder finds keys of every object, such as `constructor`, in its own tables. */
function isReserved(name: string): boolean {
  return (FEATURE_KEYS as readonly string[]).includes(name) || name in Object.prototype;
}
