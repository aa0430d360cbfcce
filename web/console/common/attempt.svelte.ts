/** Runs actions that may fail, and keeps the error message of the last one. */

import { messageOf } from './messages.ts';

export class Attempt {
  /** Error message; empty if the last action succeeded. */
  problem = $state('');

  /** Never rejects. */
  readonly run = async (work: () => Promise<void>): Promise<void> => {
    this.problem = '';
    try {
      await work();
    } catch (error) {
      this.fail(error);
    }
  };

  readonly fail = (error: unknown, hint = ''): void => {
    this.problem = `${messageOf(error)}${hint}`;
  };
}
