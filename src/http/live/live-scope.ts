/** The scope of what is done on a connection that stays open: each operation, and each answer of a subscription, has one. */

import type { Caller } from '../../services/caller.ts';
import type { Scope } from '../../services/scope.ts';
import type { TimeLimits } from '../../storage/deadline.ts';
import { Deadline } from '../../storage/deadline.ts';
import type { ReadTimestamp } from '../../storage/read-timestamp.ts';
import { now } from '../../storage/read-timestamp.ts';

export class LiveScope implements Scope {
  readonly requestId: string;
  readonly caller: Caller | null;
  operation: string | undefined = undefined;
  errorCode: string | undefined = undefined;
  readonly readTimestamp: ReadTimestamp;
  readonly deadline: Deadline;

  /** @param limits counted from now */
  constructor(
    requestId: string,
    caller: Caller | null,
    limits: TimeLimits,
    readTimestamp: ReadTimestamp = now(),
  ) {
    this.requestId = requestId;
    this.caller = caller;
    this.readTimestamp = readTimestamp;
    this.deadline = new Deadline(limits);
  }
}
