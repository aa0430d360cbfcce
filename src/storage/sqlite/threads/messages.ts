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
  | { readonly type: 'open-failed'; readonly error: SerializedError }
  /** The last message of a task, sent after its transaction has ended. */
  | TaskEnd;

export type TaskEnd =
  | { readonly type: 'done'; readonly output: unknown }
  | { readonly type: 'failed'; readonly error: SerializedError }
  | { readonly type: 'stopped' };

export interface SerializedError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly cause: SerializedError | undefined;
  /** Of a ServiceError. */
  readonly service: SerializedServiceError | undefined;
  /** Members that identify other errors of the store. */
  readonly members: Readonly<Record<string, unknown>>;
}

interface SerializedServiceError {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly details: Readonly<Record<string, string | number>>;
}

const MEMBERS = ['name', 'code', 'errcode', 'syscall'] as const;

export function serializeError(thrown: unknown): SerializedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return {
    message: error.message,
    stack: error.stack,
    cause: error.cause === undefined ? undefined : serializeError(error.cause),
    service: error instanceof ServiceError ? serviceErrorOf(error) : undefined,
    members: membersOf(error),
  };
}

function membersOf(error: Error): SerializedError['members'] {
  const members = new Map<string, unknown>(Object.entries({ ...error, name: error.name }));
  return Object.fromEntries(
    MEMBERS.filter((name) => members.has(name)).map((name) => [name, members.get(name)]),
  );
}

function serviceErrorOf({ code, retryAfterSeconds, extensions }: ServiceError): SerializedServiceError {
  return { code, retryAfterSeconds, details: extensions };
}

/** Restores a ServiceError; of any other error, what the log and the adapter need. */
export function deserializeError({ message, stack, service, members, cause: why }: SerializedError): Error {
  const options = why === undefined ? {} : { cause: deserializeError(why) };
  const error =
    service === undefined
      ? Object.assign(new Error(message, options), members)
      : new ServiceError(service.code, message, { ...service, ...options });
  if (stack !== undefined) error.stack = stack;
  return error;
}
