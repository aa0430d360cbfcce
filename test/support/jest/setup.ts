/** Runs in the process of each test file before the file: two additions to jest-light-runner. */

import { describeError } from './describe-error.ts';

type Body = () => unknown;
type Register = (...given: unknown[]) => unknown;

const scope = globalThis as unknown as Record<string, Register>;
for (const name of ['it', 'test', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach']) {
  const register = scope[name];
  if (register === undefined) throw new Error(`Jest has no global ${name}`);
  // A proxy, so that `it.skip` and other members stay available.
  scope[name] = new Proxy(register, {
    apply: (target, self, given: unknown[]) =>
      Reflect.apply(
        target,
        self,
        given.map((one) => (typeof one === 'function' ? explained(one as Body) : one)),
      ),
  });
}

/**
 * jest-light-runner prints only the stack of a thrown value, without causes, and waits for ever for a callback if a
 * body has a parameter.
 */
function explained(body: Body): Body {
  if (body.length > 0) throw new Error('A test or hook takes no parameter: return a promise.');
  return async () => {
    try {
      await body();
    } catch (thrown) {
      const error = new Error('', { cause: thrown });
      error.stack = describeError(thrown);
      throw error;
    }
  };
}
