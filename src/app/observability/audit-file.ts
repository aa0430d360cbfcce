/** The file of the audit log. Several processes can write to it at once. */

import { closeSync, constants, openSync, writeSync } from 'node:fs';

import { OperatorError } from '../../errors.ts';
import type { AuditLine } from '../../services/audit/audit.ts';

/** Non-blocking: a pipe without a reader must not block requests. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
const OWNER_ONLY = 0o600;

/** @param requestId of the request that wrote the line; null when there is none */
export type OnAuditFailure = (error: unknown, requestId: string | null) => void;

export class AuditFile {
  readonly #path: string;
  readonly #onFailure: OnAuditFailure;
  #file: number;
  /** Whether the last line is incomplete, as on a full disk. */
  #isTorn = false;

  /**
   * @param onFailure called when a line cannot be written, or the file cannot be reopened
   * @throws OperatorError when the path cannot be opened
   */
  constructor(path: string, onFailure: OnAuditFailure) {
    this.#path = path;
    this.#onFailure = onFailure;
    try {
      this.#file = openFile(path);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      throw new OperatorError(`AUDIT_LOG must be the path of a writable file (${code}).`);
    }
  }

  /** Writes synchronously, and in one call, so that lines of several processes do not mix. */
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

  /** For log rotation. If it fails, lines still go to the old file. */
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
  return openSync(path, FLAGS, OWNER_ONLY);
}
