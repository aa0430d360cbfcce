/** Errors as messages between threads: structured clone loses their classes, and what was added to them. */

import type { ErrorCode } from '../../../errors.ts';
import { ServiceError } from '../../../errors.ts';

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
