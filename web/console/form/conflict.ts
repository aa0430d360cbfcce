/** Merges the edits of a form with those that another user stored in the meantime. */

import type { Properties } from '../../shared/properties.ts';
import { valueOf } from '../../shared/properties.ts';
import { textOfValue } from '../common/field-inputs.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';

type Texts = Readonly<Record<string, string>>;

export interface Conflict {
  readonly name: string;
  readonly mine: string;
  readonly theirs: string;
}

/**
 * Rebases the texts of a form on another version of the location.
 *
 * @param base the version that the form started from
 * @param theirs the version stored now
 * @returns the texts, with their values for fields unchanged in the form; and the fields that both changed
 */
export function rebase(
  fields: readonly FieldDefinition[],
  base: Properties,
  theirs: Properties,
  texts: Texts,
): { readonly texts: Record<string, string>; readonly conflicts: readonly Conflict[] } {
  const conflicts: Conflict[] = [];
  const rebased = fields.map(({ name }) => {
    const original = textOfValue(valueOf(base, name));
    const stored = textOfValue(valueOf(theirs, name));
    const mine = texts[name] ?? '';
    if (mine === original) return [name, stored] as const;
    if (stored !== original && stored !== mine) conflicts.push({ name, mine, theirs: stored });
    return [name, mine] as const;
  });
  return { texts: Object.fromEntries(rebased), conflicts };
}
