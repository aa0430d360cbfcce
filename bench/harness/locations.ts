/** Locations that look like a directory's: eight properties, some in other scripts, about 430 bytes on a page of /v0. */

import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

export const FIELDS = [
  ['Name', 'placeName'],
  ['Address', 'address'],
  ['Category', 'category'],
  ['Phone', 'phone'],
  ['Website', 'website'],
  ['Opened', 'date'],
  ['Visitors', 'number'],
  ['Description', 'description'],
] as const;

const TOWNS = [
  'Lisboa, Portugal',
  'Zürich, Switzerland',
  'Leeds, United Kingdom',
  '京都市, Japan',
  'Lyon, France',
];
const KINDS = ['Museum', 'Café', 'Library', 'Garden', 'Theatre', 'Market', 'Chapel'];

/** One row for each number, always the same. */
export function rowOf(number: number): readonly string[] {
  const town = TOWNS[number % TOWNS.length] ?? '';
  const kind = KINDS[number % KINDS.length] ?? '';
  const house = 1 + (number % 199);
  return [
    `${kind} number ${number}`,
    `${house} Station Road, ${1000 + (number % 8999)} ${town}`,
    kind,
    `+44 20 ${String(70_000_000 + number).slice(0, 8)}`,
    `https://${kind
      .normalize('NFD')
      .replace(/[^A-Za-z]/g, '')
      .toLowerCase()}-${number}.example.org/`,
    `${1850 + (number % 170)}-05-${String(1 + (number % 28)).padStart(2, '0')}`,
    String((number * 7919) % 1_000_000),
    'Open on weekdays from nine, on the first floor',
    (((number * 0.618_033_988_7) % 1) * 140 - 70).toFixed(6),
    (((number * 0.754_877_666_2) % 1) * 360 - 180).toFixed(6),
  ];
}

export async function writeCsv(file: string, count: number, firstNumber = 1): Promise<void> {
  const stream = createWriteStream(file);
  const columns = [...FIELDS.map(([name]) => name), 'lat', 'lng'];
  stream.write(`${columns.join(',')}\n`);
  for (let number = firstNumber; number < firstNumber + count; number += 1) {
    const line = rowOf(number)
      .map((cell) => (cell.includes(',') ? `"${cell}"` : cell))
      .join(',');
    if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

/** A location's fields as a caller would post them. */
export function fieldsOf(number: number): Record<string, string> {
  const cells = rowOf(number);
  return Object.fromEntries(FIELDS.map(([name], index) => [name, cells[index] ?? '']));
}
