/** What a number format says of the numbers that it shows: whether they are dates, times or durations. */

export type NumberKind = 'number' | 'date' | 'time' | 'dateTime' | 'duration';

/** The formats that every workbook has without writing them down (ECMA-376 part 1, 18.8.30). */
const BUILT_IN: readonly (readonly [first: number, last: number, kind: NumberKind])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'dateTime'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [50, 54, 'date'],
  // In some languages a date, in others a time.
  [55, 56, 'dateTime'],
  [57, 58, 'date'],
  [71, 74, 'date'],
  [75, 76, 'time'],
  [77, 77, 'dateTime'],
  [78, 78, 'time'],
  [79, 79, 'duration'],
  [80, 80, 'time'],
  [81, 81, 'date'],
];

export function kindOfBuiltIn(id: number): NumberKind {
  return BUILT_IN.find(([first, last]) => first <= id && id <= last)?.[2] ?? 'number';
}

/** Text in quotes, escaped characters, what is in brackets, and the letters of dates. Sections end at a semicolon. */
const TOKEN = /"[^"]*"?|[\\_*][^]?|\[([^\]]*)\]?|general|am\/pm|a\/p|e[+-]|([ymdhsebg])\2*|;/gi;

/** @param code as it stands in the workbook: `yyyy\-mm\-dd;@` */
export function kindOfCode(code: string): NumberKind {
  const letters: string[] = [];
  for (const [token, bracket] of code.matchAll(TOKEN)) {
    const lower = token.toLowerCase();
    if (token === ';') break;
    if (lower === 'general' || lower === 'e+' || lower === 'e-') return 'number';
    if (bracket !== undefined) {
      if (/^(h+|m+|s+)$/i.test(bracket)) return 'duration';
    } else if (lower === 'am/pm' || lower === 'a/p') letters.push('h');
    else if (/^[a-z]/.test(lower)) letters.push(lower);
  }
  const isTime = (token: string, index: number) =>
    /^[hs]/.test(token) || (/^mm?$/.test(token) && isMinute(letters, index));
  const times = letters.filter(isTime).length;
  if (times === letters.length) return times === 0 ? 'number' : 'time';
  return times === 0 ? 'date' : 'dateTime';
}

/** An m stands for minutes behind hours and before seconds. */
function isMinute(letters: readonly string[], index: number): boolean {
  return letters[index - 1]?.startsWith('h') === true || letters[index + 1]?.startsWith('s') === true;
}
