/** The settings of a map's page: language, time zone, theme and categories. */

import { CATEGORY_ICONS } from '../../src/domain/category-icons.ts';
import { MAX_CATEGORIES, toCategories } from '../../src/domain/category-style.ts';
import { toPageLanguage, toTimeZone } from '../../src/domain/map-locale.ts';
import { PAGE_LANGUAGES } from '../../src/domain/page-languages.ts';
import { DEFAULT_THEME, toTheme } from '../../src/domain/page-theme.ts';

const messageOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ code: 'BAD_USER_INPUT' });
    return (error as Error).message;
  }
  throw new Error('It was accepted.');
};

describe('a language', () => {
  it('is one of the ten of the pages, in their spelling', () => {
    for (const language of PAGE_LANGUAGES) expect(toPageLanguage(language)).toBe(language);
    expect(toPageLanguage('PT-br')).toBe('pt-BR');
    for (const language of ['', 'pt', 'de-AT', 'ru', 'English', 'en ']) {
      expect(messageOf(() => toPageLanguage(language))).toBe(
        'language must be one of en, de, fr, es, it, nl, pt-BR, pl, ja, ar; null removes it.',
      );
    }
  });
});

describe('a time zone', () => {
  it('is a name of the IANA database, kept as given', () => {
    // Canonical names of some have changed.
    for (const zone of [
      'Europe/Berlin',
      'Asia/Kolkata',
      'Asia/Calcutta',
      'America/Argentina/Ushuaia',
      'UTC',
    ]) {
      expect(toTimeZone(zone)).toBe(zone);
    }
    for (const zone of [
      '',
      'Berlin',
      'Europe/Berlin ',
      'Mars/Olympus',
      '+01:00',
      '-05',
      'GMT+1:00',
      'x'.repeat(9_999),
    ]) {
      expect(messageOf(() => toTimeZone(zone))).toMatch(/^timeZone must be a time zone of the IANA database/);
    }
  });
});

describe('a theme', () => {
  it('keeps what is omitted, restores the default for null, and is null with defaults only', () => {
    const accented = toTheme(null, { accent: '#FFcc00' });
    expect(accented).toEqual({ ...DEFAULT_THEME, accent: '#ffcc00' });
    const dark = toTheme(accented, { appearance: 'dark', poweredBy: false, font: 'mono' });
    expect(dark).toEqual({ accent: '#ffcc00', appearance: 'dark', poweredBy: false, font: 'mono' });
    expect(toTheme(dark, {})).toEqual(dark);
    expect(toTheme(dark, { accent: null, poweredBy: null, font: null })).toEqual({
      ...DEFAULT_THEME,
      appearance: 'dark',
    });
    expect(toTheme(dark, { accent: null, poweredBy: true, font: 'system', appearance: null })).toBeNull();
    expect(toTheme(null, {})).toBeNull();
  });

  it('has an accent with six hexadecimal digits', () => {
    for (const accent of [
      '',
      'red',
      '#fc0',
      'ffcc00',
      '#ffcc0',
      '#ffcc000',
      '#ffcc0g',
      ' #ffcc00',
      '#ffcc00;',
    ]) {
      expect(messageOf(() => toTheme(null, { accent }))).toBe(
        'theme.accent must be a colour such as "#0b6bcb".',
      );
    }
  });
});

describe('categories', () => {
  it('keep their order, and have null for what is omitted', () => {
    expect(
      toCategories([
        { value: 'b', color: '#ABCDEF' },
        { value: 'a', label: 'A ü', icon: 'cafe' },
      ]),
    ).toEqual([
      { value: 'b', label: null, color: '#abcdef', icon: null },
      { value: 'a', label: 'A ü', color: null, icon: 'cafe' },
    ]);
  });

  it('are at most 100, with unique values that are not blank', () => {
    const many = Array.from({ length: MAX_CATEGORIES + 1 }, (_, index) => ({ value: `v${index}` }));
    expect(toCategories(many.slice(1))).toHaveLength(MAX_CATEGORIES);
    expect(messageOf(() => toCategories(many))).toBe('categories has 101 entries; at most 100 are allowed.');
    expect(messageOf(() => toCategories([{ value: 'a' }, { value: 'b' }, { value: 'a' }]))).toBe(
      'categories[2].value repeats that of categories[0]; values must be unique.',
    );
    for (const value of ['', ' ', 'x'.repeat(257)]) {
      expect(messageOf(() => toCategories([{ value }]))).toMatch(/^categories\[0\]\.value must be 1 to 256/);
      expect(messageOf(() => toCategories([{ value: 'v', label: value }]))).toMatch(
        /^categories\[0\]\.label must/,
      );
    }
    expect(toCategories([{ value: '😀'.repeat(256) }])).toHaveLength(1);
    expect(messageOf(() => toCategories([{ value: '\ud800' }]))).toMatch(/^categories\[0\]\.value /);
  });

  it('have colours with six hexadecimal digits and built-in icons', () => {
    expect(messageOf(() => toCategories([{ value: 'a', color: 'blue' }]))).toMatch(
      /^categories\[0\]\.color must be a colour/,
    );
    for (const icon of ['', 'Cafe', 'nope', 'constructor']) {
      expect(messageOf(() => toCategories([{ value: 'a', icon }]))).toMatch(
        /^categories\[0\]\.icon must be one of restaurant, cafe, .*; null removes it\.$/,
      );
    }
    expect(new Set(CATEGORY_ICONS).size).toBe(CATEGORY_ICONS.length);
  });
});
