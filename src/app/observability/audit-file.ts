/** The file of the audit log. Several processes may write to it at once. */

import { closeSync, constants, openSync, writeSync } from 'node:fs';

import { OperatorError } from '../../errors.ts';
import type { AuditLine } from '../../services/audit/audit.ts';

/** A reader of a pipe that has gone must not hold up requests. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
const OWNER_ALONE = 0o600;

/** @param requestId of the write whose line it was; null where there is none */
export type OnAuditFailure = (error: unknown, requestId: string | null) => void;

export class AuditFile {
  readonly #path: string;
  readonly #onFailure: OnAuditFailure;
  #file: number;
  /** Whether the last line is there only in part, as on a full disk. */
  #isTorn = false;

  /**
   * @param onFailure told where a line could not be written, or the file not be opened anew
   * @throws OperatorError for a path that cannot be opened
   */
  constructor(path: string, onFailure: OnAuditFailure) {
    this.#path = path;
    this.#onFailure = onFailure;
    try {
      this.#file = openFile(path);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      throw new OperatorError(`AUDIT_LOG must be the path of a file that can be written (${code}).`);
    }
  }

  /** In one write, so that lines of several processes do not mix. It has reached the system when this returns. */
  write(line: AuditLine): void {
    const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${JSON.stringify(line)}\n`);
    try {
      const written = writeSync(this.#file, bytes);
      this.#isTorn = written < bytes.length;
      if (this.#isTorn) throw new Error(`Only ${written} of ${bytes.length} bytes were written.`);
    } catch (error) {
      this.#onFailure(error, line.requestId);
    }
  }

  /** After the file was moved away. Where that fails, lines go to the old one. */
  reopen(): void {
    try {
      const opened = openFile(this.#path);
      closeSync(this.#file);
      this.#file = opened;
      this.#isTorn = false;
    } catch (error) {
      this.#onFailure(error, null);
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

function openFile(path: string): number {
  return openSync(path, FLAGS, OWNER_ALONE);
}
