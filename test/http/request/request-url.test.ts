import { baseOf, pathOf, searchOf } from '../../../src/http/request/request-url.ts';

describe('a request’s URL', () => {
  it.each([
    ['/', '/', '', './'],
    ['/?', '/', '', './'],
    ['/docs', '/docs', '', './'],
    ['/docs/', '/docs', '', '../'],
    ['/docs?a=1', '/docs', 'a=1', './'],
    ['/docs/?a=/b/', '/docs', 'a=/b/', '../'],
    ['/maps/id', '/maps/id', '', '../'],
    ['/maps/id/?embed=1?', '/maps/id', 'embed=1?', '../../'],
    ['/oembed??url', '/oembed', '?url', './'],
    ['*', '*', '', './'],
  ])('%s has its path, query string and base', (url, path, search, base) => {
    expect([pathOf({ url }), searchOf({ url }), baseOf({ url })]).toEqual([path, search, base]);
  });
});
