import { readNextLink, withoutParameter } from '../../src/upstream/link.ts';

it('finds the next page among links of every form', () => {
  for (const [header, target] of [
    ['</a?b=1>; rel="next"', '/a?b=1'],
    ['<?x>; rel=next', '?x'],
    ['<a>; rel="prev", <b>; title="a, b; rel=next"; rel="next"', 'b'],
    ['<a>;REL="last Next"', 'a'],
    ['<a,b>; rel="prev",<c>;rel="next"', 'c'],
    ['<a>; rel="prev"', null],
    ['<a>; rel="nextish"', null],
    ['', null],
    ['garbage <', null],
  ] as const) {
    expect([header, readNextLink(header)]).toEqual([header, target]);
  }
  expect(readNextLink(['<a>; rel="prev"', '<b>; rel="next"'])).toBe('b');
  expect(readNextLink(undefined)).toBeNull();
});

it('removes a parameter however it is encoded, and leaves the rest unchanged', () => {
  expect(withoutParameter('limit=1&offset=a%20b&&x=+&lim%69t=2', 'limit')).toBe('offset=a%20b&x=+');
  expect(withoutParameter('', 'limit')).toBe('');
  expect(withoutParameter('%zz=1&limit', 'limit')).toBe('%zz=1');
});
