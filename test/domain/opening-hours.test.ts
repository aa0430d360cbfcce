/** Opening hours: what is read, and when a place is open, as the package `opening_hours` has it. */

import fc from 'fast-check';
import Judge from 'opening_hours';

import type { OpeningHours } from '../../src/domain/opening-hours.ts';
import { readOpeningHours, weekOf, ZonedOpeningHours } from '../../src/domain/opening-hours.ts';
import { TimeZone } from '../../src/domain/time-zone.ts';

const HOUR = 3_600_000;
const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

function read(text: string): OpeningHours {
  const hours = readOpeningHours(text);
  if (hours === null) throw new Error(`${text} was not read`);
  return hours;
}

describe('reading opening hours', () => {
  it.each([
    ['', 'nothing'],
    ['Mo-Fr', 'days without times'],
    ['by appointment', 'other words'],
    ['Mo-Fr 09:00-18:00 "ring twice"', 'a comment'],
    ['Apr-Sep: Mo-Fr 09:00-18:00', 'months'],
    ['Mo[1] 09:00-18:00', 'the first Monday of a month'],
    ['Mo-Fr 17:00+', 'an open end'],
    ['sunrise-sunset', 'the sun'],
    ['Mo-Fr 9-17', 'hours without minutes'],
    ['Mo-Fr 24:00-26:00', 'a start after the day'],
    ['Mo-Fr 09:00-49:00', 'an end after the next day'],
    ['Mo-Fr 09:60-10:00', 'a 61st minute'],
    ['Mo-PH 09:00-10:00', 'a range to holidays'],
    ['Mo-Fr 09:00-12:00 || Sa 10:00-12:00', 'a fallback'],
    ['Mo-Fr 09:00-12:00;; Sa 10:00-12:00', 'an empty rule'],
    [`${'Mo 09:00-12:00; '.repeat(40)}Tu 09:00-12:00`, 'a long text'],
  ])('reads nothing from %j: %s', (text) => {
    expect(readOpeningHours(text)).toBeNull();
  });

  it.each([
    ['mo - fr 9:00 – 12:00 , 13:00-18:00;', 'Mo-Fr 09:00-12:00,13:00-18:00'],
    ['Mo-Fr: 09:00-12:00', 'Mo-Fr 09:00-12:00'],
    ['Mo-Fr 09:00-12:00; Sa closed', 'Mo-Fr 09:00-12:00; Sa off'],
  ])('reads %j like %j', (text, same) => {
    expect(read(text)).toEqual(read(same));
  });
});

describe('the week', () => {
  it.each([
    ['Mo-Fr 09:00-12:30,13:30-18:00; Sa 10:00-14:00; PH off', ['9-12.5 13.5-18', 4, '10-14', '']],
    ['24/7', ['0-24', 6]],
    ['Fr,Sa 22:00-02:00', ['', 3, '22-26', 1, '']],
    ['Fr 20:00-24:00, Sa 00:00-24:00', ['', 3, '20-24', '0-24', '']],
    ['Fr 20:00-44:00', ['', 3, '20-44', '', 1]],
    ['Fr 10:00-40:00', ['', 3, '10-24', '0-16', '']],
    ['Mo-Su 10:00-18:00; We off', ['10-18', 1, '', '10-18', 3]],
    ['off', ['', 6]],
  ])('of %j', (text, expected) => {
    const days: string[] = [];
    for (const each of expected) {
      const last = days.at(-1) ?? '';
      if (typeof each === 'string') days.push(each);
      else days.push(...Array.from({ length: each }, () => last));
    }
    const week = weekOf(read(text)).map((spans) =>
      spans.map(({ start, end }) => `${start / 60}-${end / 60}`).join(' '),
    );
    expect(week).toEqual(days);
  });
});

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
/** Local days around which clocks change in one of the zones, and one without. */
const AROUND = [
  '2026-03-29',
  '2026-10-25',
  '2026-03-08',
  '2026-11-01',
  '2026-04-05',
  '2026-10-04',
  '2026-06-01',
];

const aDay = fc.oneof(
  fc.constantFrom(...DAYS),
  fc.tuple(fc.constantFrom(...DAYS), fc.constantFrom(...DAYS)).map(([from, to]) => `${from}-${to}`),
);
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const aSpan = fc
  .tuple(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 0, max: 192 }))
  .map(([start, end]) => `${clock(start * 15)}-${clock(end * 15)}`);
const several = (each: fc.Arbitrary<string>) =>
  fc.array(each, { minLength: 1, maxLength: 3 }).map((all) => all.join(','));
const aRule = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(several(aDay), several(aSpan)).map((parts) => parts.join(' ')) },
  several(aSpan),
  several(aDay).map((days) => `${days} off`),
  fc.tuple(several(aDay), several(aSpan)).map((parts) => `${parts.join(' ')} off`),
  fc.constantFrom('24/7', 'off'),
);
const aText = fc
  .tuple(aRule, fc.array(fc.tuple(fc.constantFrom('; ', ', '), aRule), { maxLength: 3 }))
  .map(([first, more]) => first + more.map((each) => each.join('')).join(''));
const aTime = fc
  .tuple(fc.constantFrom(...AROUND), fc.integer({ min: -12 * 24, max: 12 * 48 }))
  .map(([day, fiveMinutes]) => Date.parse(day) + fiveMinutes * 300_000);

/** Null for a text that it refuses, such as `24/7, Mo off`. */
function judge(text: string): { getState: (date: Date) => boolean } | null {
  try {
    return new Judge(text, null);
  } catch {
    return null;
  }
}

describe.each(ZONES)('in %s', (name) => {
  const zone = new TimeZone(name);
  const before = process.env.TZ;
  // The judge knows the zone of the process only.
  beforeAll(() => void (process.env.TZ = name));
  afterAll(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  /**
   * The judge goes back 24 hours to find what goes on after midnight. That misses the day before around a day of another length:
   * in the first hour after a shorter one, and in the last hour of a longer one.
   */
  const isMisjudged = (time: number) => {
    const [then, dayBefore] = [new Date(time - 24 * HOUR), new Date(time)];
    dayBefore.setHours(12);
    dayBefore.setDate(dayBefore.getDate() - 1);
    return then.getDate() !== dayBefore.getDate();
  };

  it('is open when the package says so', () => {
    let compared = 0;
    fc.assert(
      fc.property(aText, fc.array(aTime, { minLength: 20, maxLength: 20 }), (text, times) => {
        const theirs = judge(text);
        if (theirs === null) return;
        const ours = new ZonedOpeningHours(read(text), zone);
        for (const time of times.filter((each) => !isMisjudged(each))) {
          compared += 1;
          if (ours.isOpenAt(time) !== theirs.getState(new Date(time))) {
            throw new Error(
              `${text} at ${new Date(time).toString()}: the package says ${theirs.getState(new Date(time))}`,
            );
          }
        }
      }),
      { numRuns: 800 },
    );
    expect(compared).toBeGreaterThan(10_000);
  });

  it('changes next at the first minute with the other state', () => {
    fc.assert(
      fc.property(aText, aTime, (text, time) => {
        if (judge(text) === null) return;
        const ours = new ZonedOpeningHours(read(text), zone);
        const { isOpen, changesAt } = ours.stateAt(time);
        let first: number | null = null;
        for (let at = time + 300_000; at <= time + 8 * 24 * HOUR && first === null; at += 300_000) {
          if (ours.isOpenAt(at) !== isOpen) first = at;
        }
        expect({ text, isOpen, changesAt }).toEqual({ text, isOpen: ours.isOpenAt(time), changesAt: first });
      }),
      { numRuns: 60 },
    );
  });
});

describe('the next change', () => {
  const berlin = new TimeZone('Europe/Berlin');
  const nextOf = (text: string, at: string) => {
    const { isOpen, changesAt } = new ZonedOpeningHours(read(text), berlin).stateAt(Date.parse(at));
    return `${isOpen ? 'open' : 'closed'} until ${changesAt === null ? 'ever' : new Date(changesAt).toISOString()}`;
  };

  it.each([
    ['Mo-Fr 09:00-18:00', '2026-11-27T10:00Z', 'open until 2026-11-27T17:00:00.000Z'],
    ['Mo-Fr 09:00-18:00', '2026-11-27T18:00Z', 'closed until 2026-11-30T08:00:00.000Z'],
    ['Su 09:00-18:00', '2026-11-29T18:00Z', 'closed until 2026-12-06T08:00:00.000Z'],
    ['Fr 22:00-02:00', '2026-11-27T23:30Z', 'open until 2026-11-28T01:00:00.000Z'],
    ['24/7', '2026-11-27T10:00Z', 'open until ever'],
    ['off', '2026-11-27T10:00Z', 'closed until ever'],
    // Clocks go from 02:00 to 03:00, and from 03:00 back to 02:00.
    ['01:00-02:30', '2026-03-29T00:30Z', 'open until 2026-03-29T01:00:00.000Z'],
    ['01:00-02:30', '2026-10-25T00:00Z', 'open until 2026-10-25T00:30:00.000Z'],
    ['01:00-02:30', '2026-10-25T00:30Z', 'closed until 2026-10-25T01:00:00.000Z'],
  ])('of %j at %s', (text, at, expected) => {
    expect(nextOf(text, at)).toBe(expected);
  });

  it('knows no unknown zone', () => {
    expect(() => new TimeZone('Mars/Olympus')).toThrow(RangeError);
  });
});
