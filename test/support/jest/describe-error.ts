/** Describes a thrown value for the report of a failed test: its stack and causes, without colours. */

import { inspect, stripVTControlCharacters } from 'node:util';

const DEEPEST_CAUSE = 4;

export function describeError(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error)) return `Thrown, and no Error: ${inspect(thrown, { depth: 4 })}`;
  const parts = [withoutForeignFrames(stripVTControlCharacters(thrown.stack ?? String(thrown)))];
  if (depth < DEEPEST_CAUSE) {
    if (thrown.cause !== undefined) parts.push(`caused by: ${describeError(thrown.cause, depth + 1)}`);
    if (thrown instanceof AggregateError) {
      for (const one of thrown.errors) parts.push(`one of: ${describeError(one, depth + 1)}`);
    }
  }
  return parts.join('\n');
}

/** Frames of Node, of packages and of this folder do not explain the failure, unless there are no others. */
function withoutForeignFrames(stack: string): string {
  const lines = stack.split('\n');
  const own = lines.filter((line) => !/^\s+at .*(node:|node_modules|test\/support\/jest\/)/.test(line));
  return (own.some((line) => /^\s+at /.test(line)) ? own : lines).join('\n');
}
