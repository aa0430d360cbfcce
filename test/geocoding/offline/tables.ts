import { readFileSync } from 'node:fs';

/** Rows of a tab-separated table in this folder, by column name. */
export function readTable(name: string): Record<string, string>[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  const [header = '', ...lines] = text.trim().split('\n');
  const columns = header.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });
}

export interface AddressCase {
  /** `first` was written before the algorithm; the others after it, and run once before any change. */
  readonly set: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly town: string;
  /** The accepted GeoNames ids; none if GeoNames lacks the town, which counts as a miss. */
  readonly ids: readonly string[];
  readonly address: string;
}

export function addressCases(): AddressCase[] {
  return readTable('./addresses.tsv').map(
    ({ set = '', country = '', town = '', ids = '', address = '' }) => ({
      set,
      country,
      town,
      ids: ids.split(' '),
      address,
    }),
  );
}
