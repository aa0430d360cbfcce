/** Expects an input to be refused with BAD_USER_INPUT and a message that names it. */

import { ServiceError } from '../../src/errors.ts';

/** @returns the message */
export function expectRefused(work: () => unknown, message: RegExp): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).code).toBe('BAD_USER_INPUT');
    expect((error as ServiceError).message).toMatch(message);
    return (error as ServiceError).message;
  }
  throw new Error(`expected BAD_USER_INPUT ${message}, but it was accepted`);
}
