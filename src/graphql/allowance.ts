/** What one operation may still read, whatever way its selections multiply. */

import { badUserInput } from '../errors.ts';

export interface AllowanceLimits {
  /** Maps and locations that one operation may read. */
  readonly maxRows: number;
}

export interface Allowance {
  /** Sets rows aside before they are read. @throws ServiceError BAD_USER_INPUT when there are not so many left */
  takeRows(rows: number): void;
  /** Gives back what a page was shorter than it might have been. */
  giveBackRows(rows: number): void;
}

export function createAllowance({ maxRows }: AllowanceLimits): Allowance {
  let left = maxRows;
  return {
    takeRows(rows) {
      if (rows > left) {
        throw badUserInput(
          `The operation asks for more than the ${maxRows} maps and locations allowed; ask for smaller pages.`,
        );
      }
      left -= rows;
    },
    giveBackRows(rows) {
      left += rows;
    },
  };
}
