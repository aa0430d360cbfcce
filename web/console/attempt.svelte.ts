/** Work that may fail, and what the reader is told of the last that did. */

import { messageOf } from './messages.ts';

export class Attempt {
  /** Empty where there is nothing to tell. */
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
