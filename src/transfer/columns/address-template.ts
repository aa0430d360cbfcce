/** An address that is made of several columns: `{street}, {zip} {city}, {country}`. */

export interface AddressTemplate {
  /** The columns, in their order. */
  readonly columns: readonly string[];
  /** Text before each column, and text behind the last one. */
  readonly separators: readonly string[];
}

const COLUMN = /\{([^{}]+)\}/g;

/** Null where the text names no column in braces. */
export function parseAddressTemplate(text: string): AddressTemplate | null {
  const columns: string[] = [];
  const separators: string[] = [];
  let end = 0;
  for (const match of text.matchAll(COLUMN)) {
    separators.push(text.slice(end, match.index));
    columns.push(match[1] ?? '');
    end = match.index + match[0].length;
  }
  separators.push(text.slice(end));
  return columns.length === 0 ? null : { columns, separators };
}

/**
 * An empty part leaves no separator behind: of the separators around it, the first one that is more than white space
 * stays.
 *
 * @param parts the values of the template's columns, in their order
 * @returns an empty text where all parts are empty
 */
export function fillAddress({ separators }: AddressTemplate, parts: readonly string[]): string {
  let address = '';
  let passed: string[] = [];
  for (const [index, part] of parts.entries()) {
    passed.push(separators[index] ?? '');
    const value = part.trim();
    if (value === '') continue;
    // Text before the first column is no separator, and stays.
    if (address === '') address = (separators[0] ?? '') + value;
    else address += (passed.find((text) => text.trim() !== '') ?? passed[0] ?? '') + value;
    passed = [];
  }
  return address === '' ? '' : address + (separators[parts.length] ?? '');
}

/**
 * Names of columns that hold a part of an address, in the order of an address. Two parts of one line are divided by a
 * space, lines by a comma.
 */
const PARTS: readonly (readonly [line: number, names: readonly string[]])[] = [
  [
    1,
    [
      ...['street', 'street address', 'street_address', 'streetaddress', 'road', 'addr:street'],
      ...['address line 1', 'address1', 'strasse', 'straße', 'adresse', 'rue', 'calle', 'via'],
    ],
  ],
  [1, ['housenumber', 'house number', 'house_number', 'hausnummer', 'addr:housenumber']],
  [
    2,
    [
      ...['zip', 'zipcode', 'zip code', 'zip_code', 'postcode', 'post code', 'postal code', 'postal_code'],
      ...['postalcode', 'plz', 'cap', 'code postal', 'addr:postcode'],
    ],
  ],
  [2, ['city', 'town', 'locality', 'municipality', 'stadt', 'ort', 'ville', 'ciudad', 'città', 'addr:city']],
  [3, ['state', 'province', 'region', 'county', 'bundesland']],
  [4, ['country', 'land', 'pays', 'país', 'paese', 'addr:country']],
];

/**
 * @param columns those that nothing uses
 * @param keyOf how names are compared
 * @param first the column that the parts stand behind; null where there is none
 * @returns the template that joins those of the columns that are named like parts of an address; null where none is
 */
export function suggestAddress(
  columns: readonly string[],
  keyOf: (column: string) => string,
  first: string | null,
): string | null {
  const parts = PARTS.flatMap(([line, names]) => {
    const column = columns.find((name) => names.includes(keyOf(name)));
    return column === undefined ? [] : [{ line, column }];
  });
  if (parts.length === 0) return null;
  const all = first === null ? parts : [{ line: 0, column: first }, ...parts];
  return all
    .map(({ line, column }, index) => {
      const separator = index === 0 ? '' : all[index - 1]?.line === line ? ' ' : ', ';
      return `${separator}{${column}}`;
    })
    .join('');
}
