/** Logos of maps, which their bytes alone identify. */

import * as fc from 'fast-check';

import { MAX_LOGO_BYTES } from '../../../src/domain/logo.ts';
import { readLogo } from '../../../src/services/maps/read-logo.ts';
import { asDataUrl, LOGOS, SVG_LOGO } from '../../support/logos.ts';

const messageOf = (url: string) => {
  try {
    readLogo(url);
  } catch (error) {
    expect(error).toMatchObject({ code: 'BAD_USER_INPUT' });
    return (error as Error).message;
  }
  throw new Error('It was accepted.');
};
const svg = (inner: string, before = '') =>
  asDataUrl(Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`));

describe('a logo', () => {
  it.each(Object.entries(LOGOS))('is a file of the type %s, whatever the URL says', (type, file) => {
    for (const declared of [type, 'text/html', '']) {
      const { info, content } = readLogo(asDataUrl(file, declared));
      expect(info).toEqual({ type, hash: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: file.length });
      expect(Buffer.from(content, 'base64')).toEqual(file);
    }
  });

  it('is SVG with a declaration, comments, a byte order mark and a prefix', () => {
    for (const text of [
      `<?xml version="1.0" encoding="UTF-8"?>\n<!-- a -->\n${SVG_LOGO}`,
      `\ufeff${SVG_LOGO}`,
      '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g/></s:svg>',
      '<svg xmlns="http://www.w3.org/2000/svg"><text>&amp;&#228;</text><script>x</script></svg>',
    ]) {
      expect(readLogo(asDataUrl(Buffer.from(text))).info.type).toBe('image/svg+xml');
    }
  });

  it('has no document type and no entities', () => {
    const doctype = '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
    expect(messageOf(svg('<text>&b;</text>', doctype))).toMatch(
      /a document type \(<!DOCTYPE …>\) is not allowed\.$/,
    );
    expect(messageOf(svg('', '<!DOCTYPE svg>'))).toMatch(/document type/);
    expect(messageOf(svg('<text>&nbsp;</text>'))).toMatch(/not well-formed XML/);
  });

  it('is well-formed, and SVG', () => {
    expect(messageOf(svg('<g>'))).toMatch(/not well-formed XML/);
    expect(messageOf(asDataUrl(Buffer.from('<svg>')))).toMatch(
      /must be a PNG, WebP or SVG file of at most 256 KiB: /,
    );
    for (const text of [
      '<html xmlns="http://www.w3.org/1999/xhtml"/>',
      '<svg/>',
      '<x xmlns="http://www.w3.org/2000/svg"/>',
    ]) {
      expect(messageOf(asDataUrl(Buffer.from(text)))).toMatch(
        /its root must be <svg xmlns="http:\/\/www\.w3\.org\/2000\/svg">/,
      );
    }
  });

  it('has few elements, and they are not nested deep', () => {
    const nested = (depth: number) => svg('<g>'.repeat(depth - 1) + '</g>'.repeat(depth - 1));
    expect(readLogo(nested(100)).info.type).toBe('image/svg+xml');
    expect(messageOf(nested(101))).toMatch(/: its elements are nested more than 100 deep\.$/);
    expect(messageOf(svg('<g>'.repeat(80_000)))).toMatch(/nested more than 100 deep/);
    expect(readLogo(svg('<g/>'.repeat(9_999))).info.type).toBe('image/svg+xml');
    expect(messageOf(svg('<g/>'.repeat(10_000)))).toMatch(/: it has more than 10000 elements\.$/);
  });

  it('is nothing else', () => {
    const others = {
      gif: Buffer.from('GIF89a'),
      jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      'a truncated signature': LOGOS['image/png'].subarray(0, 7),
      'RIFF that is no WebP': Buffer.from('RIFF\0\0\0\0WAVE'),
      text: Buffer.from('logo'),
      nothing: Buffer.alloc(0),
      'UTF-16': Buffer.from(`\ufeff${SVG_LOGO}`, 'utf16le'),
    };
    for (const [name, file] of Object.entries(others)) {
      expect([name, messageOf(asDataUrl(file))]).toEqual([
        name,
        'theme.logo must be a PNG, WebP or SVG file of at most 256 KiB.',
      ]);
    }
  });

  it('is a data URL in base64', () => {
    for (const url of ['', 'https://example.org/logo.png', 'data:image/png,abc', 'iVBORw0KGgo=']) {
      expect(messageOf(url)).toMatch(
        /^theme\.logo must be a data URL in base64 \(data:image\/png;base64,…\)/,
      );
    }
    const whole = asDataUrl(LOGOS['image/png']);
    for (const url of [`${whole}*`, `${whole}\n`, whole.replace('iVBO', 'iV BO')]) {
      expect(messageOf(url)).toBe('theme.logo is not valid base64.');
    }
  });

  it('has at most 256 KiB', () => {
    const file = (bytes: number) =>
      Buffer.concat([LOGOS['image/png'], Buffer.alloc(bytes)]).subarray(0, bytes);
    expect(readLogo(asDataUrl(file(MAX_LOGO_BYTES))).info.bytes).toBe(262_144);
    for (const bytes of [MAX_LOGO_BYTES + 1, 10 * MAX_LOGO_BYTES]) {
      expect(messageOf(asDataUrl(file(bytes)))).toMatch(
        /^theme\.logo is too large; it must be a PNG, WebP or SVG/,
      );
    }
  });

  it('is accepted or refused with BAD_USER_INPUT, whatever the text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string().map((inner) => `<svg xmlns="http://www.w3.org/2000/svg">${inner}`),
    );
    fc.assert(
      fc.property(text, (content) => {
        try {
          readLogo(asDataUrl(Buffer.from(content)));
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_USER_INPUT' });
        }
      }),
    );
  });
});
