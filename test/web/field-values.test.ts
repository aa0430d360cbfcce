import type { FieldType, ShownValue } from '../../web/shared/field-values.ts';
import { showValue } from '../../web/shared/field-values.ts';

const READER = { locale: 'en-GB', timeZone: 'UTC', mediaOrigins: ['https://media.example.org'] };

const show = (type: FieldType, value: unknown): ShownValue | null => showValue(type, value, READER);
const text = (shown: string) => ({ kind: 'text', text: shown });

describe('a field’s value on a page', () => {
  it('is nothing if there is no value', () => {
    for (const type of ['text', 'website', 'phone', 'tag', 'date', 'number', 'image_link'] as const) {
      for (const value of [null, undefined, '', '  ']) expect(show(type, value)).toBeNull();
    }
    expect(show('tag', ' , ,')).toBeNull();
    expect(show('tag', [])).toBeNull();
  });

  it('is shown as plain text, whatever its type', () => {
    for (const type of ['text', 'description', 'address', 'category', 'placeName'] as const) {
      expect(show(type, '<b>1 & 2</b>')).toEqual(text('<b>1 & 2</b>'));
      expect(show(type, 12)).toEqual(text('12'));
      expect(show(type, false)).toEqual(text('false'));
      expect(show(type, { deep: [1] })).toEqual(text('{"deep":[1]}'));
    }
    const long = 'x'.repeat(65_000);
    expect(show('text', long)).toEqual(text(long));
  });

  it('is a link only if it is an absolute http or https URL', () => {
    const kinds = { website: 'link', cta: 'button', image_link: 'link', audio: 'link' } as const;
    for (const [type, kind] of Object.entries(kinds) as [FieldType, string][]) {
      for (const value of [
        'https://example.org/a?b=c',
        'HTTP://example.org/a?b=c',
        ' https://example.org/a?b=c ',
      ]) {
        expect(show(type, value)).toMatchObject({ kind, text: 'example.org/a?b=c' });
      }
      for (const hostile of [
        'javascript:alert(1)',
        'JaVaScRiPt:alert(1)',
        'java\nscript:alert(1)',
        '\u0001javascript:alert(1)',
        'data:text/html,<script>alert(1)</script>',
        'vbscript:x',
        'blob:https://example.org/1',
        'file:///etc/passwd',
        '//example.org/a',
        '/a',
        'example.org',
        'https:example.org',
        'https:/example.org',
        'https://',
        'ht\ttps://example.org',
        'https://example.org\n/a',
        'https://example.org /a',
        'https://exa mple.org',
        'https://[::1',
      ]) {
        expect(show(type, hostile)).toEqual(text(hostile.trim()));
      }
      expect(show(type, { href: 'https://example.org' })?.kind).toBe('text');
      expect(show(type, ['https://example.org'])?.kind).toBe('text');
    }
  });

  it('shows the URL that a link leads to, whatever its text', () => {
    expect(show('website', 'https://bank.example@evil.example/')).toMatchObject({ text: 'evil.example' });
    expect(show('website', 'https://аpple.com/')).toMatchObject({ text: 'xn--pple-43d.com' });
    expect(show('website', 'https://example.org/\u202Egnp.exe')).toMatchObject({
      text: 'example.org/%E2%80%AEgnp.exe',
    });
  });

  it('is a picture or a player only from a host that is allowed', () => {
    const allowed = 'https://media.example.org/a.bin';
    expect(show('image_link', allowed)).toMatchObject({ kind: 'image', href: allowed });
    expect(show('audio', allowed)).toMatchObject({ kind: 'audio', href: allowed });
    for (const other of [
      'http://media.example.org/a.bin',
      'https://media.example.org:444/a.bin',
      'https://media.example.org.evil.example/a.bin',
      'https://media.example.org@evil.example/a.bin',
    ]) {
      expect(show('image_link', other)).toMatchObject({ kind: 'link' });
      expect(show('audio', other)).toMatchObject({ kind: 'link' });
    }
  });

  it('links to a telephone number of its digits and a leading plus', () => {
    const href = (value: unknown) => (show('phone', value) as { href?: string } | null)?.href;
    expect(show('phone', '+45 (0) 98-44 33 11')).toEqual({
      kind: 'phone',
      href: 'tel:+45098443311',
      text: '+45 (0) 98-44 33 11',
    });
    expect(href('020 7946 0000')).toBe('tel:02079460000');
    expect(href('(+44) 20')).toBe('tel:+4420');
    expect(href('12+34')).toBe('tel:1234');
    expect(href(4420)).toBe('tel:4420');
    expect(href('call me')).toBeUndefined();
    expect(href({ number: 1 })).toBeUndefined();
    expect(href('1;javascript:alert(1)')).toBe('tel:11');
  });

  it('splits tags at commas, and shows the items of a list', () => {
    expect(show('tag', 'sea, light ,,stairs')).toEqual({ kind: 'tags', items: ['sea', 'light', 'stairs'] });
    expect(show('tag', ['a, b', 1, null, '', { c: 1 }])).toEqual({
      kind: 'tags',
      items: ['a, b', '1', 'null', '{"c":1}'],
    });
    expect(show('tag', 7)).toEqual({ kind: 'tags', items: ['7'] });
  });

  it('formats days and instants for the reader’s locale, and nothing else', () => {
    expect(show('date', '1858-11-01')).toEqual({
      kind: 'date',
      dateTime: '1858-11-01',
      text: '1 November 1858',
    });
    expect(showValue('date', '2026-06-01T23:30:00+02:00', { ...READER, timeZone: 'Asia/Tokyo' })).toEqual({
      kind: 'date',
      dateTime: '2026-06-01T21:30:00.000Z',
      text: '2 June 2026 at 06:30',
    });
    // A day does not depend on the time zone.
    expect(showValue('date', '2026-06-01', { ...READER, timeZone: 'America/Los_Angeles' })).toMatchObject({
      text: '1 June 2026',
    });
    for (const other of [
      '2026-02-30',
      '2026-13-01',
      'tomorrow',
      '2026',
      '01/02/2026',
      '2026-06-01T25:00:00Z',
    ]) {
      expect(show('date', other)).toEqual(text(other));
    }
  });

  it('formats numbers for the reader’s locale, unless that would lose digits', () => {
    expect(show('number', 1234567.5)).toEqual(text('1,234,567.5'));
    expect(show('number', '1234567.5')).toEqual(text('1,234,567.5'));
    expect(showValue('number', 1234.5, { ...READER, locale: 'de' })).toEqual(text('1.234,5'));
    expect(show('number', '-0.125')).toEqual(text('-0.125'));
    for (const other of ['12345678901234567890', '1e999', '0x10', '12 m', '007', 'NaN']) {
      expect(show('number', other)).toEqual(text(other));
    }
  });
});
