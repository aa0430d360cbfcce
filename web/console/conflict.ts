/** A location that two changed at once: what each did to the version that both began with. */

import type { Properties } from '../shared/properties.ts';
import { valueOf } from '../shared/properties.ts';
import { textOfValue } from './field-inputs.ts';
import type { FieldDefinition } from './field-inputs.ts';

type Texts = Readonly<Record<string, string>>;

export interface Conflict {
  readonly name: string;
  readonly mine: string;
  readonly theirs: string;
}

/**
 * Carries a form's texts over to another version.
 *
 * @param base what the form began with
 * @param theirs what is stored now
 * @returns the texts of the form, with their values where it changed nothing; and where both changed the same
 */
export function rebase(
  fields: readonly FieldDefinition[],
  base: Properties,
  theirs: Properties,
  texts: Texts,
): { readonly texts: Record<string, string>; readonly conflicts: readonly Conflict[] } {
  const conflicts: Conflict[] = [];
  const rebased = fields.map(({ name }) => {
    const before = textOfValue(valueOf(base, name));
    const stored = textOfValue(valueOf(theirs, name));
    const mine = texts[name] ?? '';
    if (mine === before) return [name, stored] as const;
    if (stored !== before && stored !== mine) conflicts.push({ name, mine, theirs: stored });
    return [name, mine] as const;
  });
  return { texts: Object.fromEntries(rebased), conflicts };
}
