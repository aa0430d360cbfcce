/**
 * The build replaces `node:stream` with this module: the part of Transform that csv-parse needs with `on_record`. It
 * transforms each chunk at once. The streams of csv-parse's browser build do not report an unclosed quote at the end.
 */

type Done = (error?: Error | null) => void;

export abstract class Transform {
  abstract _transform(chunk: Uint8Array, encoding: string, done: Done): void;
  abstract _flush(done: Done): void;

  write(chunk: Uint8Array, done: Done): void {
    this._transform(chunk, '', done);
  }

  end(done: Done): void {
    this._flush(done);
  }

  /** `on_record` consumes every record, so none is pushed. */
  push(): void {}

  /** Errors are passed to the callbacks. */
  on(): void {}

  emit(): void {}

  destroy(): void {}
}
