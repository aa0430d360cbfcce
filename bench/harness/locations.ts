/**
 * Generates locations like those of a business directory: eight properties, some in other scripts, about 430 bytes each on a
 * page of /v0. They cluster around towns of about 300. In a whole set, 100 locations share each word and telephone number.
 */

import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

import { createRandom } from './random.ts';

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

/** Number of locations of a set that share a word, or a telephone number. */
export const SHARED_BY = 100;

const TOWNS = [
  'Lisboa, Portugal',
  'Zürich, Switzerland',
  'Leeds, United Kingdom',
  '京都市, Japan',
  'Lyon, France',
];
const KINDS = ['Museum', 'Café', 'Library', 'Garden', 'Theatre', 'Market', 'Chapel'];
const LOCATIONS_PER_TOWN = 300;

/** Number of distinct words, and of telephone numbers, in a set of locations. */
export function varietyOf(size: number): number {
  return Math.max(1, Math.floor(size / SHARED_BY));
}

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';
const SYLLABLES = [...CONSONANTS].flatMap((consonant) => [...VOWELS].map((vowel) => consonant + vowel));

/** Six letters. No word is a prefix of another, or occurs in any other text. */
export function wordAt(index: number): string {
  // The factor is coprime to the number of words, so all are distinct.
  const scattered = (index * 48_271) % SYLLABLES.length ** 3;
  const digits = [0, 1, 2].map((exponent) => Math.floor(scattered / SYLLABLES.length ** exponent));
  return digits.map((digit) => SYLLABLES[digit % SYLLABLES.length] ?? '').join('');
}

export function phoneAt(index: number): string {
  return `+44 20 ${String(70_000_000 + index)}`;
}

/** @returns a CSV row, the same whenever the number and the size of the set are */
export function rowOf(number: number, size: number): readonly string[] {
  const town = TOWNS[number % TOWNS.length] ?? '';
  const kind = KINDS[number % KINDS.length] ?? '';
  const house = 1 + (number % 199);
  const variety = varietyOf(size);
  // The factors are primes, so each index occurs once in every `variety` numbers.
  const word = wordAt((number * 7919) % variety);
  const phone = phoneAt((number * 104_729) % variety);
  return [
    `${kind} ${word} ${number}`,
    `${house} Station Road, ${1000 + (number % 8999)} ${town}`,
    kind,
    phone,
    `https://${kind
      .normalize('NFD')
      .replace(/[^A-Za-z]/g, '')
      .toLowerCase()}-${number}.example.org/`,
    `${1850 + (number % 170)}-05-${String(1 + (number % 28)).padStart(2, '0')}`,
    String((number * 7919) % 1_000_000),
    'Open on weekdays from nine, on the first floor',
    ...pointOf(number, size),
  ];
}

/** Latitude and longitude, denser towards the centre of the town. */
function pointOf(number: number, size: number): [string, string] {
  const random = createRandom(number);
  const town = Math.floor(random() * Math.ceil(size / LOCATIONS_PER_TOWN));
  const spread = 0.02 + ((town * 0.569_840_29) % 1) * 1.5;
  const offset = () => (random() + random() + random() - 1.5) * spread;
  const latitude = ((town * 0.618_033_988_7) % 1) * 115 - 50;
  const longitude = ((town * 0.754_877_666_2) % 1) * 340 - 170;
  return [(latitude + offset()).toFixed(6), (longitude + offset()).toFixed(6)];
}

export async function writeCsv(
  file: string,
  { count, firstNumber = 1, size = count }: { count: number; firstNumber?: number; size?: number },
): Promise<void> {
  const stream = createWriteStream(file);
  const columns = [...FIELDS.map(([name]) => name), 'lat', 'lng'];
  stream.write(`${columns.join(',')}\n`);
  for (let number = firstNumber; number < firstNumber + count; number += 1) {
    const line = rowOf(number, size)
      .map((cell) => (cell.includes(',') ? `"${cell}"` : cell))
      .join(',');
    if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

/** As a client posts them. */
export function fieldsOf(number: number): Record<string, string> {
  const cells = rowOf(number, SHARED_BY);
  return Object.fromEntries(FIELDS.map(([name], index) => [name, cells[index] ?? '']));
}
