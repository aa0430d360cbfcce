/** The scope of what is done on a connection that stays open: each operation, and each answer of a subscription, has one. */

import type { Caller } from '../../services/caller.ts';
import type { Scope } from '../../services/scope.ts';
import type { TimeLimits } from '../../storage/deadline.ts';
import { Deadline } from '../../storage/deadline.ts';
import type { LogicalTime } from '../../storage/logical-clock.ts';
import { now } from '../../storage/logical-clock.ts';

export class LiveScope implements Scope {
  readonly requestId: string;
  readonly caller: Caller | null;
  operation: string | undefined = undefined;
  errorCode: string | undefined = undefined;
  readonly asOf: LogicalTime;
  readonly deadline: Deadline;

  /** @param limits counted from now */
  constructor(requestId: string, caller: Caller | null, limits: TimeLimits, asOf: LogicalTime = now()) {
    this.requestId = requestId;
    this.caller = caller;
    this.asOf = asOf;
    this.deadline = new Deadline(limits);
  }
}
