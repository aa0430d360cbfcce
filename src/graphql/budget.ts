/** How many maps and locations one operation may read, whatever way its selections multiply. */

import { badUserInput } from '../errors.ts';

export interface RowBudget {
  /** Sets rows aside before they are read. @throws ServiceError BAD_USER_INPUT when the operation has used its up */
  take(rows: number): void;
  /** Gives back what a page was shorter than it might have been. */
  giveBack(rows: number): void;
}

export function createRowBudget(maxRows: number): RowBudget {
  let left = maxRows;
  return {
    take(rows) {
      if (rows > left) {
        throw badUserInput(
          `The operation asks for more than the ${maxRows} maps and locations allowed; ask for smaller pages.`,
        );
      }
      left -= rows;
    },
    giveBack(rows) {
      left += rows;
    },
  };
}
