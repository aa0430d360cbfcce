/**
 * `expect(value)` creates six functions for each of Jest's forty matchers, of which a test calls one. In the bundle of
 * the tests, each is created on first use.
 */

import { readFileSync } from 'node:fs';

import type { Plugin } from 'esbuild';

const BEGIN = '  const expectation = {\n    not: {},';
const END = '  return expectation;\n};';
/** Replaces the code from BEGIN to END; it uses names of the surrounding function. */
const LAZY = `
  const matchers = (own, make) => new Proxy(own, {
    get(target, name) {
      if (Object.hasOwn(target, name)) return target[name];
      return Object.hasOwn(allMatchers, name) ? make(name, allMatchers[name]) : undefined;
    },
  });
  const direct = isNot => (name, matcher) => makeThrowingMatcher(matcher, isNot, '', actual);
  const awaited = make => {
    // Made before the wait, after which the stack says nothing of the test.
    const error = new JestAssertionError();
    const each = isNot => (name, matcher) =>
      make(name, getPromiseMatcher(name, matcher) || matcher, isNot, actual, error);
    return matchers({ not: matchers({}, each(true)) }, each(false));
  };
  return matchers({
    get not() { return matchers({}, direct(true)); },
    get resolves() { return awaited(makeResolveMatcher); },
    get rejects() { return awaited(makeRejectMatcher); },
  }, direct(false));
};`;

export const lazyMatchers: Plugin = {
  name: 'lazy-matchers',
  setup(compilation) {
    compilation.onLoad({ filter: /node_modules\/expect\/build\/index\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
      if (begin < 0 || end < begin) throw new Error(`${path} makes its matchers in another way`);
      return { contents: text.slice(0, begin) + LAZY + text.slice(end + END.length) };
    });
  },
};
