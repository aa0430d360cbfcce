/** Finds the rows for which the server rejects a whole request. */

import type { ErrorCode } from '../../../src/errors.ts';
import { ServiceError } from '../../../src/errors.ts';
import { GraphqlError } from '../../shared/graphql.ts';

/** Codes of request errors caused by rows, and the code for the row. Sending parts of the request finds the row. */
const ROW_CODES: ReadonlyMap<string, ErrorCode> = new Map([
  ['BAD_REQUEST', 'BAD_USER_INPUT'],
  ['BAD_USER_INPUT', 'BAD_USER_INPUT'],
  ['PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE'],
]);

/**
 * Halves a rejected request until the invalid rows are found.
 *
 * @throws GraphqlError if every row is rejected, which means that the cause is something else
 */
export async function sendBisecting<Row, Result>(
  rows: readonly Row[],
  send: (some: readonly Row[]) => Promise<readonly (Result | ServiceError)[]>,
): Promise<readonly (Result | ServiceError)[]> {
  let refused = 0;
  let last: unknown;
  const sendSome = async (some: readonly Row[]): Promise<readonly (Result | ServiceError)[]> => {
    try {
      return await send(some);
    } catch (error) {
      if (!(error instanceof GraphqlError)) throw error;
      const code = ROW_CODES.get(error.code);
      if (code === undefined) throw error;
      if (some.length === 1) {
        refused += 1;
        last = error;
        return [new ServiceError(code, error.message)];
      }
    }
    const middle = Math.ceil(some.length / 2);
    return [...(await sendSome(some.slice(0, middle))), ...(await sendSome(some.slice(middle)))];
  };
  const results = await sendSome(rows);
  if (rows.length > 1 && refused === rows.length) throw last;
  return results;
}
