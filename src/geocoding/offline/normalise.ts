/** Normalises names, for the index and for addresses alike. */

// Marks to remove. Indic and Thai vowel signs, which Unicode also calls marks, stay.
const REMOVED_MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0640]/g;

const FOLDED_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ə: 'e',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ک: 'ك',
  ة: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  臺: '台',
};
const FOLDED_PATTERN = new RegExp(`[${Object.keys(FOLDED_LETTERS).join('')}]`, 'g');

/** Spelling variants within names, each with its common form. */
const SAME_WORDS: ReadonlyMap<string, string> = new Map([
  ['saint', 'st'],
  ['sankt', 'st'],
  ['sainte', 'ste'],
  ['fort', 'ft'],
  ['mount', 'mt'],
]);

// eslint-disable-next-line no-control-regex -- plain ASCII, the fast path
const ASCII = /^[\x00-\x7f]*$/;
const INITIALS = /(?<![\p{L}\p{N}])(?:\p{L}\.){2,}/gu;
const INNER_APOSTROPHE = /(?<=[\p{L}\p{M}])['’‘ʻʼ`´ʹ′](?=\p{L})/gu;
const HEBREW_QUOTE = /(?<=[\u05d0-\u05ea])["'’״׳](?=[\u05d0-\u05ea])/g;
const QUOTE = /['"’‘ʻʼ`´ʹ′״׳]/;
const HYPHENS = '-‐‑–';
const ASCII_GAP = /[^a-z0-9]+/;
const GAP = /[^\p{L}\p{M}\p{N}]+/u;
const EAST_ASIAN = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー々〇';
const EAST_ASIAN_LETTER = new RegExp(`[${EAST_ASIAN}]`, 'u');
const WORD = new RegExp(`[${EAST_ASIAN}]+|(?:(?![${EAST_ASIAN}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/** Lower case without accents, in NFC; digits of any width become ASCII. Pure, and nearly always idempotent. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(REMOVED_MARKS, '')
    .replace(FOLDED_PATTERN, (letter) => FOLDED_LETTERS[letter] ?? letter)
    .normalize('NFC');
}

export interface Word {
  /** Folded; letters and digits only. */
  readonly text: string;
  /** True if a hyphen without spaces joins it to the word before: `Mitte` in `Berlin-Mitte`. */
  readonly joined: boolean;
  /** Present if `st` was written out, as `Saint`. */
  readonly saint?: true;
}

/** Removes the dots of initials (`D.C.` → `dc`) and apostrophes. */
function withoutInnerMarks(folded: string): string {
  let text = folded;
  // Checked first, because most of the million indexed names have neither.
  if (text.includes('.')) text = text.replace(INITIALS, (initials) => initials.replaceAll('.', ''));
  if (QUOTE.test(text)) text = text.replace(HEBREW_QUOTE, '').replace(INNER_APOSTROPHE, '');
  return text;
}

/** @param folded the result of `fold` */
export function wordsOf(folded: string): Word[] {
  const text = withoutInnerMarks(folded);
  const words: Word[] = [];
  let end = -1;
  for (const match of text.matchAll(WORD)) {
    const joined = end >= 0 && match.index === end + 1 && HYPHENS.includes(text.charAt(end));
    const spelled = SAME_WORDS.get(match[0]) ?? match[0];
    words.push(
      spelled === 'st' && match[0] !== 'st'
        ? { text: spelled, joined, saint: true }
        : { text: spelled, joined },
    );
    end = match.index + match[0].length;
  }
  return words;
}

/** The index key of a folded name: its words, separated by single spaces. Empty if it has no words. */
export function nameKey(folded: string): string {
  const text = withoutInnerMarks(folded);
  const words = EAST_ASIAN_LETTER.test(text)
    ? Array.from(text.matchAll(WORD), ([word]) => word)
    : text.split(ASCII.test(text) ? ASCII_GAP : GAP);
  let key = '';
  for (const word of words) {
    if (word === '') continue;
    const same = SAME_WORDS.get(word) ?? word;
    key = key === '' ? same : `${key} ${same}`;
  }
  return key;
}

export function normaliseName(name: string): string {
  return nameKey(fold(name));
}
