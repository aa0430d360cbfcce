import { attributionText, parseAttribution } from '../../src/domain/attribution.ts';

describe('an attribution', () => {
  it.each([
    ['City of X', 'City of X', null],
    ['[BAN](https://example.org/a)', 'BAN', 'https://example.org/a'],
    ['© [BAN](https://example.org/a), [x](http://b.example)', '© BAN, x', 'https://example.org/a'],
    ['[BAN](javascript:alert(1))', '[BAN](javascript:alert(1))', null],
    ['[BAN](//example.org)', '[BAN](//example.org)', null],
  ])('is read from %j', (text, words, url) => {
    expect(parseAttribution(text)).toEqual({ text: words, url });
  });

  it('is written with its address', () => {
    const one = { text: 'GeoNames, CC BY 4.0', url: 'https://example.org/' };
    expect(attributionText([])).toBe('');
    expect(attributionText([one])).toBe('GeoNames, CC BY 4.0 (https://example.org/)');
    expect(attributionText([one, { text: 'City of X', url: null }])).toBe(
      'GeoNames, CC BY 4.0 (https://example.org/); City of X',
    );
  });
});
