/** An address joined from several columns: `{street}, {zip} {city}, {country}`. */

export interface AddressTemplate {
  readonly columns: readonly string[];
  /** Text before each column, and after the last one. */
  readonly separators: readonly string[];
}

const COLUMN = /\{([^{}]+)\}/g;

/** Null if the text has no column in braces. */
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
 * Skips empty parts: of the separators around one, only the first that is more than white space stays.
 *
 * @param parts the values of the template's columns, in order
 * @returns an empty string if all parts are empty
 */
export function fillAddress({ separators }: AddressTemplate, parts: readonly string[]): string {
  let address = '';
  let pending: string[] = [];
  for (const [index, part] of parts.entries()) {
    pending.push(separators[index] ?? '');
    const value = part.trim();
    if (value === '') continue;
    // Text before the first column is no separator, so it stays.
    if (address === '') address = (separators[0] ?? '') + value;
    else address += (pending.find((text) => text.trim() !== '') ?? pending[0] ?? '') + value;
    pending = [];
  }
  return address === '' ? '' : address + (separators[parts.length] ?? '');
}

export type AddressPart = 'street' | 'houseNumber' | 'postcode' | 'city' | 'state' | 'country';

/**
 * Column names for the parts of an address, in order. A space separates parts of one line, and a comma separates lines.
 */
const PARTS: readonly (readonly [part: AddressPart, line: number, names: readonly string[]])[] = [
  [
    'street',
    1,
    [
      ...['street', 'street address', 'street_address', 'streetaddress', 'road', 'addr:street'],
      ...['address line 1', 'address1', 'strasse', 'straße', 'adresse', 'rue', 'calle', 'via'],
    ],
  ],
  ['houseNumber', 1, ['housenumber', 'house number', 'house_number', 'hausnummer', 'addr:housenumber']],
  [
    'postcode',
    2,
    [
      ...['zip', 'zipcode', 'zip code', 'zip_code', 'postcode', 'post code', 'postal code', 'postal_code'],
      ...['postalcode', 'plz', 'postleitzahl', 'cap', 'code postal', 'código postal', 'codice postale'],
      'addr:postcode',
    ],
  ],
  [
    'city',
    2,
    ['city', 'town', 'locality', 'municipality', 'stadt', 'ort', 'ville', 'ciudad', 'città', 'addr:city'],
  ],
  ['state', 3, ['state', 'province', 'region', 'county', 'bundesland']],
  ['country', 4, ['country', 'land', 'pays', 'país', 'paese', 'addr:country']],
];

/** @param key the name of a column or field, normalised; null if it is not called like a part of an address */
export function addressPartOf(key: string): AddressPart | null {
  return PARTS.find(([, , names]) => names.includes(key))?.[0] ?? null;
}

/**
 * @param columns the unused columns
 * @param keyOf normalises names for comparison
 * @param first a column before the parts; null for none
 * @returns a template of the columns named like parts of an address; null if there are none
 */
export function suggestAddress(
  columns: readonly string[],
  keyOf: (column: string) => string,
  first: string | null,
): string | null {
  const parts = PARTS.flatMap(([, line, names]) => {
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
