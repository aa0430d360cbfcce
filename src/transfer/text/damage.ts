/** Errors of files that cannot be read, at all or to their end. */

/** Nothing can be read. */
export class UnreadableFileError extends Error {
  /** True if the bytes are not text, or text in another encoding. */
  readonly isEncoding: boolean;

  constructor(message: string, { isEncoding = false } = {}) {
    super(message);
    this.isEncoding = isEncoding;
  }
}

/** The file cannot be read further. Thrown after all records before the damage. */
export class FileDamage extends Error {
  /** The line in which the damaged record begins, from 1; for invalid bytes, their line. */
  readonly line: number;
  /** Completes `line 7: …`. */
  readonly reason: string;
  /** True if the bytes are not text; false for damaged text. */
  readonly isEncoding: boolean;

  constructor(line: number, reason: string, { isEncoding = false } = {}) {
    super(`line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
    this.isEncoding = isEncoding;
  }
}
