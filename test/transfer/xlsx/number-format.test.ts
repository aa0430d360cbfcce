/** Number formats of dates, times and durations. */

import { kindOfBuiltIn, kindOfCode } from '../../../src/transfer/xlsx/number-format.ts';

it.each([
  ['General', 'number'],
  ['', 'number'],
  ['@', 'number'],
  ['0.00', 'number'],
  ['0.00E+00', 'number'],
  ['##0.0E-0', 'number'],
  ['#,##0 "days"', 'number'],
  ['[Red]-0.0;[Yellow]0', 'number'],
  ['0\\d', 'number'],
  ['0_d', 'number'],
  ['0*y', 'number'],
  ['[$-409]0', 'number'],
  ['[$USD] 0', 'number'],
  ['[>=100]0;0', 'number'],
  ['"year "0', 'number'],
  ['yyyy-mm-dd', 'date'],
  ['YYYY\\-MM\\-DD;@', 'date'],
  ['[$-F800]dddd, mmmm dd, yyyy', 'date'],
  ['d. mmm', 'date'],
  ['mmm-yy', 'date'],
  ['m', 'date'],
  ['[$-411]ggge"年"m"月"d"日"', 'date'],
  ['[Magenta]d', 'date'],
  ['hh:mm', 'time'],
  ['mm:ss.0', 'time'],
  ['h "o\'clock"', 'time'],
  ['h AM/PM', 'time'],
  ['hh\\hmm', 'time'],
  ['m/d/yy h:mm', 'dateTime'],
  ['dd.mm.yyyy hh:mm:ss', 'dateTime'],
  ['yyyy"-"mm"-"dd"T"hh":"mm', 'dateTime'],
  ['[$-F400]h:mm:ss AM/PM', 'time'],
  ['[h]:mm', 'duration'],
  ['[hh]:mm:ss', 'duration'],
  ['[mm]:ss', 'duration'],
  ['[ss].00', 'duration'],
  ['0;yyyy', 'number'],
  ['"', 'number'],
  ['[', 'number'],
  ['\\', 'number'],
])('%s: %s', (code, kind) => {
  expect(kindOfCode(code)).toBe(kind);
});

it('knows the built-in formats', () => {
  const kinds = [0, 9, 11, 13, 14, 17, 18, 21, 22, 36, 45, 46, 47, 48, 49, 163].map(kindOfBuiltIn);
  expect(kinds).toEqual(
    'number number number number date date time time dateTime date time duration time number number number'.split(
      ' ',
    ),
  );
});
