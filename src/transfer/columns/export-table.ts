/**
 * A whole map as a table: which columns it has, and how they are told from the map's fields. A field that is called like
 * a column of ours keeps its name. Ours then begins with a `$` for each column of the same name.
 */

/** Our columns, which stand before the map's fields, each with its index. `more` stands after them. */
export const EXPORT_COLUMN = { id: 0, externalId: 1, order: 2, lat: 3, lng: 4, placeId: 5 } as const;
const EXPORT_COLUMNS = Object.keys(EXPORT_COLUMN);
const MORE = 'more';

/**
 * @param fields names of the map's fields, in their order
 * @param moreColumns over how many columns `more` goes
 */
export function exportColumns(fields: readonly string[], moreColumns = 1): readonly string[] {
  const taken = new Set(fields);
  const more = freeName(MORE, taken);
  const continued = Array.from({ length: moreColumns - 1 }, (_, index) =>
    freeName(continuedName(more, index + 2), taken),
  );
  return [...EXPORT_COLUMNS.map((name) => freeName(name, taken)), ...fields, more, ...continued];
}

/** Where the columns of a table of ours stand. */
export interface ExportTable {
  /** The map's fields by their names, each with its index. */
  readonly fields: readonly (readonly [index: number, name: string])[];
  /** The indices of `more`, and of `more 2` and so on, which continue it; none where somebody has removed it. */
  readonly moreAt: readonly number[];
}

/** Null for a table whose first columns are not exactly ours. Ours have the indices of {@link EXPORT_COLUMN}. */
export function readExportTable(columns: readonly string[]): ExportTable | null {
  if (!EXPORT_COLUMNS.every((name, index) => columns[index]?.replace(/^\$+/, '') === name)) return null;
  const rest = [...columns.entries()].slice(EXPORT_COLUMNS.length);
  // The last one that can be it: somebody may have added columns behind it.
  const moreAt = rest.findLast(([index, name]) => name === freeName(MORE, namesOf(rest, index)))?.[0] ?? -1;
  const more = moreAt === -1 ? [] : [moreAt, ...continuationsOf(columns, moreAt)];
  const fields = rest.filter(([index]) => !more.includes(index));
  const taken = namesOf(fields);
  const isOurs = EXPORT_COLUMNS.every((name, index) => columns[index] === freeName(name, taken));
  return isOurs ? { fields, moreAt: more } : null;
}

/** A format whose cells are limited continues `more` in the columns right behind it: `more 2`, `more 3` and so on. */
function continuationsOf(columns: readonly string[], moreAt: number): readonly number[] {
  const taken = new Set(columns.slice(EXPORT_COLUMNS.length, moreAt));
  const indices: number[] = [];
  for (let index = moreAt + 1; index < columns.length; index += 1) {
    const continued = continuedName(columns[moreAt] ?? '', indices.length + 2);
    if (columns[index] !== freeName(continued, taken)) break;
    indices.push(index);
  }
  return indices;
}

/** @param number from 2 */
export function continuedName(more: string, number: number): string {
  return `${more} ${number}`;
}

function namesOf(columns: readonly (readonly [number, string])[], without = -1): ReadonlySet<string> {
  return new Set(columns.flatMap(([index, name]) => (index === without ? [] : [name])));
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  while (taken.has(free)) free = `$${free}`;
  return free;
}
