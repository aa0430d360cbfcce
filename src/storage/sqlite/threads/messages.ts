/** What a thread and its starter tell each other. A thread does one task at a time. */

import type { ErrorCode } from '../../../errors.ts';
import { ServiceError } from '../../../errors.ts';

/** What a thread is started with. */
export interface ThreadData {
  /** The database file. */
  readonly path: string;
  /** The words that both sides see at once; see {@link STOP}. */
  readonly control: SharedArrayBuffer;
  /** The URL of the program. */
  readonly program: string;
}

/** A word of the control: 1 when the present task is to stop. */
export const STOP = 0;
export const CONTROL_BYTES = Int32Array.BYTES_PER_ELEMENT;

export type ToThread =
  | { readonly type: 'begin'; readonly task: string; readonly input: unknown }
  /** Close the file and end. */
  | { readonly type: 'end' };

export type FromThread =
  /** The file is open. */
  | { readonly type: 'ready' }
  /** The file could not be opened. */
  | { readonly type: 'unfit'; readonly fault: Fault }
  /** The last message about a task, sent when its transaction has ended. */
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
  /** Members by which a store's failures are known, of any other error. */
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

/** A ServiceError as it was; of any other error what a log and the adapter need to know it by. */
export function toError({ message, stack, service, marks, cause: why }: Fault): Error {
  const options = why === undefined ? {} : { cause: toError(why) };
  const error =
    service === undefined
      ? Object.assign(new Error(message, options), marks)
      : new ServiceError(service.code, message, { ...service, ...options });
  if (stack !== undefined) error.stack = stack;
  return error;
}
