/** What a file fails with that is to be written: no such folder, a full disk, a limit of its size, a device that is gone. */

import { CommandError } from './run.ts';

const WRITING: readonly (string | undefined)[] = ['write', 'writev', 'fsync', 'fdatasync', 'close'];

export function notWritable(path: string, { message }: Error): CommandError {
  return new CommandError(`${path} cannot be written: ${message}`);
}

/** Whether the system has refused to write. What is written may fail on its own, and is then no such error. */
export function isWriteFailure(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && WRITING.includes((error as NodeJS.ErrnoException).syscall);
}

/**
 * For the `catch` of what writes a file.
 *
 * @throws CommandError that names the file; anything else as it is
 */
export function throwOfFile(path: string): (error: unknown) => never {
  return (error) => {
    throw isWriteFailure(error) ? notWritable(path, error) : error;
  };
}
