/** Errors of files that cannot be read, at all or to their end. */

import type { Message } from '../message.ts';
import { message, untranslated } from '../message.ts';

/** Nothing can be read. */
export class UnreadableFileError extends Error {
  /** What `message` says, by sentences. */
  readonly sentences: readonly Message[];
  /** True if the bytes are not text, or text in another encoding. */
  readonly isEncoding: boolean;

  /** @param problem a text is in English only */
  constructor(problem: string | readonly Message[], { isEncoding = false } = {}) {
    const sentences = typeof problem === 'string' ? [untranslated(problem)] : problem;
    super(sentences.map(({ text }) => text).join(' '));
    this.sentences = sentences;
    this.isEncoding = isEncoding;
  }
}

/** The file cannot be read further. Thrown after all records before the damage. */
export class FileDamage extends Error {
  /** The line in which the damaged record begins, from 1; for invalid bytes, their line. */
  readonly line: number;
  /** Completes `line 7: …`. */
  readonly reason: string;
  readonly detail: Message;
  /** True if the bytes are not text; false for damaged text. */
  readonly isEncoding: boolean;

  /** @param reason a text is in English only */
  constructor(line: number, reason: string | Message, { isEncoding = false } = {}) {
    const detail = typeof reason === 'string' ? untranslated(reason) : reason;
    super(`line ${line}: ${detail.text}`);
    this.line = line;
    this.reason = detail.text;
    this.detail = detail;
    this.isEncoding = isEncoding;
  }
}

export function notText(reason: Message): Message {
  return message('notText', `The file is not text: ${reason.text}.`, { reason });
}
