/** Recognizes number formats of dates, times and durations. */

export type NumberKind = 'number' | 'date' | 'time' | 'dateTime' | 'duration';

/** The built-in formats (ECMA-376 part 1, section 18.8.30). */
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
  // A date in some languages, a time in others.
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

/** Quoted text, escaped characters, brackets and date letters. A semicolon ends a section. */
const TOKEN = /"[^"]*"?|[\\_*][^]?|\[([^\]]*)\]?|general|am\/pm|a\/p|e[+-]|([ymdhsebg])\2*|;/gi;

/** @param code a format code, e.g. `yyyy\-mm\-dd;@` */
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

/** `m` means minutes after hours and before seconds. */
function isMinute(letters: readonly string[], index: number): boolean {
  return letters[index - 1]?.startsWith('h') === true || letters[index + 1]?.startsWith('s') === true;
}
