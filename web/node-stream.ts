/**
 * `node:stream` for a browser: as much of Transform as csv-parse needs where its records are taken in `on_record`. What is
 * written is transformed at once. The streams that csv-parse's build for browsers brings with it do not say at their end
 * that a quote is not closed.
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

  /** No record is pushed: each is taken before. */
  push(): void {}

  /** The callbacks get every error. */
  on(): void {}

  emit(): void {}

  destroy(): void {}
}
