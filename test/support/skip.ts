/**
 * Tests that this machine may be unable to run. Each skip has its reason after its name, where the reporter
 * (test/support/jest/reporter.ts) finds it.
 */

/** What a test needs and the machine lacks; false or undefined if nothing is missing. */
export type Reason = string | false | undefined;

/** A test, skipped if there is a reason. */
export function itUnless(reason: Reason, name: string, body: Parameters<typeof it>[1]): void {
  if (isReason(reason)) it.skip(skippedTitle(name, reason), () => {});
  else it(name, body);
}

/** A suite, skipped as one test if there is a reason. Its body, which may need what is missing, then does not run. */
export function describeUnless(reason: Reason, name: string, body: () => void): void {
  if (isReason(reason)) it.skip(skippedTitle(name, reason), () => {});
  else describe(name, body);
}

/** The reason in the title of a skipped test; undefined if there is none. */
export function reasonIn(title: string): string | undefined {
  return / \[skipped: (.+)\]$/s.exec(title)?.[1];
}

function skippedTitle(name: string, reason: string): string {
  return `${name} [skipped: ${reason}]`;
}

function isReason(reason: Reason): reason is string {
  if (reason === '') throw new Error('a test is skipped without a reason');
  return typeof reason === 'string';
}
