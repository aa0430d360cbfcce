/** Why a file cannot be read, or not to its end. */

/** Nothing can be read: the file is not what it is taken for. */
export class UnreadableFileError extends Error {
  /** True when the bytes are not text at all, or text in another encoding. */
  readonly isEncoding: boolean;

  constructor(message: string, { isEncoding = false } = {}) {
    super(message);
    this.isEncoding = isEncoding;
  }
}

/** A file that cannot be read any further. Every record before the damage was given. */
export class FileDamage extends Error {
  /** The line that the damaged record begins in, from 1. For bytes that are not text, the line that they are in. */
  readonly line: number;
  /** Why, as the end of a sentence: `line 7: …`. */
  readonly reason: string;
  /** True when the bytes are not text at all; false for text that is damaged. */
  readonly isEncoding: boolean;

  constructor(line: number, reason: string, { isEncoding = false } = {}) {
    super(`line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
    this.isEncoding = isEncoding;
  }
}
