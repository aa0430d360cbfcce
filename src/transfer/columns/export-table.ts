/**
 * The columns of an exported table. If a field has the name of a fixed column, the field keeps it and the fixed column
 * gets a `$` in front.
 */

/** The indices of the fixed columns, which precede the map's fields. `more` follows them. */
export const EXPORT_COLUMN = { id: 0, externalId: 1, order: 2, lat: 3, lng: 4, placeId: 5 } as const;
const EXPORT_COLUMNS = Object.keys(EXPORT_COLUMN);
const MORE = 'more';

/**
 * @param fields names of the map's fields, in order
 * @param moreColumns number of columns for `more`
 */
export function exportColumns(fields: readonly string[], moreColumns = 1): readonly string[] {
  const taken = new Set(fields);
  const more = uniqueName(MORE, taken);
  const continued = Array.from({ length: moreColumns - 1 }, (_, index) =>
    uniqueName(continuedName(more, index + 2), taken),
  );
  return [...EXPORT_COLUMNS.map((name) => uniqueName(name, taken)), ...fields, more, ...continued];
}

/** The columns of an exported table, by index. */
export interface ExportTable {
  /** Fields of the map. */
  readonly fields: readonly (readonly [index: number, name: string])[];
  /** Indices of `more`, `more 2` and so on; none if a user has removed the column. */
  readonly moreAt: readonly number[];
}

/** Null unless the table starts with exactly the columns of {@link EXPORT_COLUMN}. */
export function readExportTable(columns: readonly string[]): ExportTable | null {
  if (!EXPORT_COLUMNS.every((name, index) => columns[index]?.replace(/^\$+/, '') === name)) return null;
  const rest = [...columns.entries()].slice(EXPORT_COLUMNS.length);
  // The last match: users may add columns after it.
  const moreAt = rest.findLast(([index, name]) => name === uniqueName(MORE, namesOf(rest, index)))?.[0] ?? -1;
  const more = moreAt === -1 ? [] : [moreAt, ...continuationsOf(columns, moreAt)];
  const fields = rest.filter(([index]) => !more.includes(index));
  const taken = namesOf(fields);
  const isExport = EXPORT_COLUMNS.every((name, index) => columns[index] === uniqueName(name, taken));
  return isExport ? { fields, moreAt: more } : null;
}

/** A format with limited cells continues `more` in the next columns: `more 2`, `more 3` and so on. */
function continuationsOf(columns: readonly string[], moreAt: number): readonly number[] {
  const taken = new Set(columns.slice(EXPORT_COLUMNS.length, moreAt));
  const indices: number[] = [];
  for (let index = moreAt + 1; index < columns.length; index += 1) {
    const continued = continuedName(columns[moreAt] ?? '', indices.length + 2);
    if (columns[index] !== uniqueName(continued, taken)) break;
    indices.push(index);
  }
  return indices;
}

/** @param number 2 or more */
export function continuedName(more: string, number: number): string {
  return `${more} ${number}`;
}

function namesOf(columns: readonly (readonly [number, string])[], without = -1): ReadonlySet<string> {
  return new Set(columns.flatMap(([index, name]) => (index === without ? [] : [name])));
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  let unique = name;
  while (taken.has(unique)) unique = `$${unique}`;
  return unique;
}
