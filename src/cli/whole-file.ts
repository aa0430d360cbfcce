/** Writes a file as a whole, and reports files that cannot be written: a missing folder, a full disk, a size limit. */

import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';

import { CommandError } from './run.ts';

interface WholeFile {
  /** By default what the umask gives. */
  readonly mode?: number;
  /** Named in errors; by default the path. */
  readonly name?: string;
  readonly write: (file: Writable) => Promise<void>;
  /** Gives the complete file its name; by default it replaces the file that has it. */
  readonly publish?: (partial: string, path: string) => Promise<void>;
}

/**
 * The content goes to a temporary file in the same folder first, so the file is complete, or as it was before.
 *
 * @throws CommandError when the file cannot be written; what `write` and `publish` throw
 */
export async function writeWholeFile(
  path: string,
  { mode, name = path, write, publish = rename }: WholeFile,
): Promise<void> {
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`;
  const handle = await open(partial, 'wx', mode).catch((error: Error) => {
    throw notWritable(name, error);
  });
  try {
    await write(handle.createWriteStream({ flush: true })).catch(rethrowWriteFailure(name));
    await publish(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}

const WRITING: readonly (string | undefined)[] = ['write', 'writev', 'fsync', 'fdatasync', 'close'];

/** Whether the system refused to write, as opposed to a failure of what produces the content. */
export function isWriteFailure(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && WRITING.includes((error as NodeJS.ErrnoException).syscall);
}

export function notWritable(path: string, { message }: Error): CommandError {
  return new CommandError(`${path} cannot be written: ${message}`);
}

/** For `catch`: turns a write failure into a CommandError that names the file, and rethrows any other error. */
export function rethrowWriteFailure(path: string): (error: unknown) => never {
  return (error) => {
    throw isWriteFailure(error) ? notWritable(path, error) : error;
  };
}
