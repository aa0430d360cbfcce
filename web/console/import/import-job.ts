/** The job of the import worker for one file: it previews, checks and imports the file. The rows stay in the worker. */

import type { ServiceError } from '../../../src/errors.ts';
import { formatOf } from '../../../src/transfer/formats.ts';
import type { ImportFileOptions, ImportSource } from '../../../src/transfer/open-import.ts';
import { openImport } from '../../../src/transfer/open-import.ts';
import { rejectedFile } from '../../../src/transfer/rejected-file.ts';
import { NOT_IMPORTED, rejectedPathOf } from '../../../src/transfer/rejected-rows.ts';
import { FileDamage, UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import { blobSource } from './blob-source.ts';
import type { FilePreview } from './file-preview.ts';
import { previewOf } from './file-preview.ts';
import type { JobListener, RunResult } from './import-pass.ts';
import { ImportPass } from './import-pass.ts';
import type { Send } from './import-run.ts';
import { likelyEncoding, UTF_8 } from './text-encoding.ts';

export interface JobFile {
  readonly name: string;
  readonly blob: Blob;
}

export type JobOptions = Omit<ImportFileOptions, 'allowsProblem' | 'format'>;

/** Why the last rows were not imported, for the reader of the report. */
export interface LeftOutReasons {
  /** The server did not respond. */
  readonly unconfirmed: string;
  /** The import ended before. */
  readonly notReached: string;
}

export class ImportJob {
  readonly #file: JobFile;
  readonly #fields: readonly FieldDefinition[];
  readonly #options: JobOptions;
  /** Errors found by a check, by row number. */
  readonly #known = new Map<number, ServiceError>();
  #pass: ImportPass | null = null;
  /** Null for UTF-8. */
  #encoding: string | null;

  constructor(file: JobFile, fields: readonly FieldDefinition[], options: JobOptions) {
    this.#file = file;
    this.#fields = fields;
    this.#options = options;
    this.#encoding = options.encoding ?? null;
  }

  /** @throws UnreadableFileError */
  async preview(): Promise<FilePreview> {
    const { source, ...encoding } = await this.#openInLikelyEncoding();
    try {
      return await previewOf(source, this.#fields, encoding);
    } finally {
      await source.close();
    }
  }

  /** Reports the outcome of each row without storing anything. */
  async check(send: Send, stop: AbortSignal, listener: JobListener): Promise<RunResult> {
    this.#known.clear();
    const result = await this.#start(send, stop, listener, true);
    for (const { number, error } of this.#pass?.rejected ?? []) this.#known.set(number, error);
    return result;
  }

  /** Stores the rows without errors. */
  import(send: Send, stop: AbortSignal, listener: JobListener): Promise<RunResult> {
    return this.#start(send, stop, listener, false);
  }

  /** Continues an import that was stopped or has failed. */
  async resume(send: Send, stop: AbortSignal, listener: JobListener): Promise<RunResult> {
    return this.#passOrThrow().go(send, stop, listener);
  }

  async close(): Promise<void> {
    await this.#pass?.close();
    this.#pass = null;
  }

  /** A CSV file with the outcome of each row. */
  async report(reasons: LeftOutReasons): Promise<Blob> {
    const text = this.#passOrThrow().report.copy();
    for await (const { row, reason } of this.#remaining(reasons)) text.add(row.line, NOT_IMPORTED, reason);
    return new Blob([...text.pieces], { type: 'text/csv' });
  }

  /** The rows that were not stored, in the format of the file. */
  async rejected(reasons: LeftOutReasons): Promise<JobFile> {
    const { source, rejected } = this.#passOrThrow();
    const file = rejectedFile(source.rejections);
    for (const { row } of rejected) file.add(row);
    for await (const { row, content, reason } of this.#remaining(reasons))
      file.add({ ...content, line: row.line, code: NOT_IMPORTED, reason });
    const { extension, pieces } = await file.content();
    return { name: rejectedPathOf(this.#file.name, extension), blob: new Blob([...pieces]) };
  }

  /** Rows after the end of an incomplete import. */
  async *#remaining(reasons: LeftOutReasons) {
    const { counts, end, unconfirmed, isDryRun } = this.#passOrThrow();
    if (isDryRun || end === null || end.kind === 'complete' || end.kind === 'damaged') return;
    const source = await this.#open();
    const lastUnconfirmed = end.kind === 'failed' ? counts.rows + unconfirmed.length : 0;
    let number = 0;
    try {
      for await (const row of source.rows) {
        number += 1;
        if (number <= counts.rows) continue;
        const reason = number <= lastUnconfirmed ? reasons.unconfirmed : reasons.notReached;
        yield { row, content: source.contentOf(row), reason: this.#known.get(number)?.message ?? reason };
      }
    } catch (error) {
      // A resumed import reports it.
      if (!(error instanceof FileDamage)) throw error;
    } finally {
      await source.close();
    }
  }

  #passOrThrow(): ImportPass {
    if (this.#pass === null) throw new Error('No check or import has started.');
    return this.#pass;
  }

  async #start(send: Send, stop: AbortSignal, listener: JobListener, isDryRun: boolean): Promise<RunResult> {
    await this.close();
    const source = await this.#open();
    const known = (number: number) => this.#known.get(number);
    const isUpsert = this.#options.isUpsert ?? false;
    this.#pass = new ImportPass(source, this.#file.blob.size, {
      fields: this.#fields,
      isUpsert,
      isDryRun,
      known,
    });
    return this.#pass.go(send, stop, listener);
  }

  #open(options: ImportFileOptions = {}): Promise<ImportSource> {
    return openImport(blobSource(this.#file), this.#fields, {
      ...this.#options,
      encoding: this.#encoding,
      ...options,
    });
  }

  /** Detects the encoding unless the user chose one, and keeps it for the check and the import. */
  async #openInLikelyEncoding(): Promise<{ source: ImportSource; encoding: string; isMarked: boolean }> {
    const { encoding: likely, isMarked } = await likelyEncoding(blobSource(this.#file).stream());
    const allowsProblem = true;
    if (isMarked || this.#encoding !== null) {
      const encoding = isMarked ? likely : (this.#encoding ?? likely);
      return { source: await this.#open({ allowsProblem }), encoding, isMarked };
    }
    const source = await this.#open({ allowsProblem }).catch((error: unknown) => {
      // Not UTF-8: try the encoding of old spreadsheets.
      if (error instanceof UnreadableFileError && error.isEncoding && likely !== UTF_8) return null;
      throw error;
    });
    if (source !== null && (likely === UTF_8 || !hasEncoding(source)))
      return { source, encoding: likely, isMarked };
    await source?.close();
    this.#encoding = likely;
    return { source: await this.#open({ allowsProblem }), encoding: likely, isMarked };
  }
}

function hasEncoding({ format }: ImportSource): boolean {
  return formatOf(format).readOptions.includes('encoding');
}
