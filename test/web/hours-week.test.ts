/** The opening hours that the form of a location edits by day. */

import fc from 'fast-check';
import Judge from 'opening_hours';

import type { Span } from '../../src/domain/opening-hours.ts';
import { readOpeningHours, weekOf } from '../../src/domain/opening-hours.ts';
import type { HoursWeek } from '../../web/console/form/hours-week.ts';
import { minuteOf, spanBetween, textOfWeek, timeOf, weekOfText } from '../../web/console/form/hours-week.ts';

const DAY = 24 * 60;
const WEEK = 7 * DAY;
const CLOSED: HoursWeek = { days: Array.from({ length: 7 }, () => []), holidays: null };

function read(text: string): HoursWeek {
  const week = weekOfText(text);
  if (week === null) throw new Error(`${text} is not edited by day`);
  return week;
}

/** The minutes of the week in which it is open. */
function openMinutes(days: readonly (readonly Span[])[]): Uint8Array {
  const open = new Uint8Array(WEEK);
  for (const [day, spans] of days.entries()) {
    for (const { start, end } of spans) {
      for (let minute = start; minute < end; minute += 1) open[(day * DAY + minute) % WEEK] = 1;
    }
  }
  return open;
}

/** As the package `opening_hours` reads the text, in a week without changes of clocks. */
function judgedMinutes(text: string, minutes: readonly number[]): boolean[] {
  const judge = new Judge(text);
  // A Monday, in the time zone of the process.
  return minutes.map((minute) => judge.getState(new Date(2026, 0, 5, 0, minute)));
}

const minute = fc.integer({ min: 0, max: DAY / 5 - 1 }).map((step) => step * 5);
const span = fc.tuple(minute, minute).map(([start, end]) => spanBetween(start, end));
const spans = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Span[]>([]) },
  { weight: 1, arbitrary: fc.constant<Span[]>([{ start: 0, end: DAY }]) },
  { weight: 5, arbitrary: fc.array(span, { minLength: 1, maxLength: 3 }) },
);
/** Days that repeat, as in most places, or not. */
const week: fc.Arbitrary<HoursWeek> = fc
  .tuple(fc.array(spans, { minLength: 1, maxLength: 7 }), fc.array(fc.nat(6), { minLength: 7, maxLength: 7 }))
  .chain(([kinds, choice]) =>
    fc.record({
      days: fc.constant(choice.map((index) => kinds[index % kinds.length] ?? [])),
      holidays: fc.option(spans),
    }),
  );

describe('the week of opening hours', () => {
  it.each([
    ['Mo-Fr 09:00-12:30,13:30-18:00; Sa 10:00-14:00'],
    ['Mo-Fr 09:00-18:00; PH off'],
    ['Mo-Fr 09:00-18:00; PH 10:00-12:00'],
    ['24/7'],
    ['24/7; PH off'],
    ['off'],
    ['Fr,Sa 22:00-02:00'],
    ['Mo,We,Fr 09:00-12:00; Tu,Th 14:00-18:00'],
    ['Mo-Th,Sa 10:00-24:00'],
    ['Mo-Th 18:00-02:00, Fr 18:00-04:00'],
  ])('is written as it was read: %j', (text) => {
    expect(textOfWeek(read(text))).toBe(text);
  });

  it.each([
    ['mo-fr 9:00 – 18:00; sa off', 'Mo-Fr 09:00-18:00'],
    ['Mo-Su 00:00-24:00', '24/7'],
    ['Mo-Su 10:00-18:00; We closed', 'Mo,Tu,Th-Su 10:00-18:00'],
    ['Mo-Fr,PH 09:00-18:00', 'Mo-Fr 09:00-18:00; PH 09:00-18:00'],
    ['Fr 10:00-40:00', 'Fr 10:00-24:00; Sa 00:00-16:00'],
    ['10:00-18:00', 'Mo-Su 10:00-18:00'],
    ['', 'off'],
  ])('of %j is written %j', (text, written) => {
    expect(textOfWeek(read(text))).toBe(written);
  });

  it.each([
    ['by appointment', 'words'],
    ['Mo-Fr 09:00-18:00 "ring twice"', 'a comment'],
    ['PH off; Mo-Fr 09:00-18:00', 'days after the holidays, on which they hold, too'],
    ['Mo-Fr 09:00-18:00, PH 18:00-20:00', 'more hours on holidays'],
    ['Mo-Fr 09:00-18:00; PH 12:00-13:00 off', 'a break on holidays'],
    ['PH 09:00-18:00; PH off', 'holidays twice'],
    ['Mo-Fr 09:00-18:00; PH 10:00-40:00', 'a holiday longer than a day'],
  ])('of %j is not edited by day: %s', (text) => {
    expect(weekOfText(text)).toBeNull();
  });

  it('is closed for a text without hours', () => {
    expect([weekOfText(''), weekOfText('off')]).toEqual([CLOSED, CLOSED]);
  });

  it('has the same meaning when it was written and read', () => {
    fc.assert(
      fc.property(week, (edited) => {
        const text = textOfWeek(edited);
        const again = read(text);
        expect(openMinutes(again.days)).toEqual(openMinutes(edited.days));
        expect(openMinutes([again.holidays ?? []])).toEqual(openMinutes([edited.holidays ?? []]));
        expect(again.holidays === null).toBe(edited.holidays === null);
        // The second time, not even the text changes.
        expect(textOfWeek(read(textOfWeek(again)))).toBe(textOfWeek(again));
      }),
    );
  });

  it('has the meaning that other programs read', () => {
    const probe = fc.array(fc.nat(WEEK - 1), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(week, probe, ({ days }, minutes) => {
        const open = openMinutes(days);
        const text = textOfWeek({ days, holidays: null });
        expect(judgedMinutes(text, minutes)).toEqual(minutes.map((one) => open[one] === 1));
      }),
    );
  });

  it('keeps the meaning of a text', () => {
    const days = fc.constantFrom('Mo-Fr', 'Sa', 'Su-Tu', 'Mo,We', 'Fr-Mo', '');
    const times = fc.oneof(
      fc
        .array(span, { minLength: 1, maxLength: 2 })
        .map((some) => some.map(({ start, end }) => `${timeOf(start)}-${timeOf(end)}`).join(',')),
      fc.constant('off'),
    );
    const rule = fc.tuple(days, times).map(([on, at]) => `${on} ${at}`.trim());
    const text = fc.array(rule, { minLength: 1, maxLength: 4 }).map((rules) => rules.join('; '));
    fc.assert(
      fc.property(text, (before) => {
        const hours = readOpeningHours(before);
        fc.pre(hours !== null);
        const after = read(textOfWeek(read(before)));
        expect(openMinutes(after.days)).toEqual(openMinutes(weekOf(hours)));
      }),
    );
  });
});

describe('the time of an input', () => {
  it('is a minute of the day', () => {
    expect(['00:00', '09:30', '23:59', '', '24:00', '9:30'].map(minuteOf)).toEqual([
      ...[0, 570, 1439, null, null, null],
    ]);
    expect([0, 570, DAY, DAY + 120].map(timeOf)).toEqual(['00:00', '09:30', '00:00', '02:00']);
  });

  it('ends on the next day if it is not after the start', () => {
    expect(spanBetween(1320, 120)).toEqual({ start: 1320, end: 1560 });
    expect(spanBetween(1080, 0)).toEqual({ start: 1080, end: DAY });
    expect(spanBetween(540, 540)).toEqual({ start: 540, end: 1980 });
  });
});
