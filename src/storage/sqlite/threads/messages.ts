/**
 * Messages between a thread and the event loop. Errors are converted, since structured clone drops their classes and
 * added members. A thread runs one task at a time.
 */

import type { ErrorCode } from '../../../errors.ts';
import { ServiceError } from '../../../errors.ts';

/** What a thread starts with. */
export interface ThreadData {
  readonly path: string;
  /** Shared memory; see {@link STOP}. */
  readonly control: SharedArrayBuffer;
  /** The URL of the thread's program. */
  readonly program: string;
}

/** Index in the control array: 1 asks the current task to stop. */
export const STOP = 0;
export const CONTROL_BYTES = Int32Array.BYTES_PER_ELEMENT;

export type ToThread =
  | { readonly type: 'begin'; readonly task: string; readonly input: unknown }
  /** Close the file and exit. */
  | { readonly type: 'end' };

export type FromThread =
  /** The file is open. */
  | { readonly type: 'ready' }
  /** The file could not be opened. */
  | { readonly type: 'unfit'; readonly fault: Fault }
  /** The last message of a task, sent after its transaction has ended. */
  | Ending;

export type Ending =
  | { readonly type: 'done'; readonly output: unknown }
  | { readonly type: 'failed'; readonly fault: Fault }
  | { readonly type: 'stopped' };

export interface Fault {
  readonly message: string;
  readonly stack: string | undefined;
  readonly cause: Fault | undefined;
  /** Of a ServiceError. */
  readonly service: ServiceParts | undefined;
  /** Members that identify other errors of the store. */
  readonly marks: Readonly<Record<string, unknown>>;
}

interface ServiceParts {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly details: Readonly<Record<string, string | number>>;
}

const MARKS = ['name', 'code', 'errcode', 'syscall'] as const;

export function toFault(thrown: unknown): Fault {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return {
    message: error.message,
    stack: error.stack,
    cause: error.cause === undefined ? undefined : toFault(error.cause),
    service: error instanceof ServiceError ? partsOf(error) : undefined,
    marks: marksOf(error),
  };
}

function marksOf(error: Error): Fault['marks'] {
  const members = new Map<string, unknown>(Object.entries({ ...error, name: error.name }));
  return Object.fromEntries(
    MARKS.filter((name) => members.has(name)).map((name) => [name, members.get(name)]),
  );
}

function partsOf({ code, retryAfterSeconds, extensions }: ServiceError): ServiceParts {
  return { code, retryAfterSeconds, details: extensions };
}

/** Restores a ServiceError; of any other error, what the log and the adapter need. */
export function toError({ message, stack, service, marks, cause: why }: Fault): Error {
  const options = why === undefined ? {} : { cause: toError(why) };
  const error =
    service === undefined
      ? Object.assign(new Error(message, options), marks)
      : new ServiceError(service.code, message, { ...service, ...options });
  if (stack !== undefined) error.stack = stack;
  return error;
}
