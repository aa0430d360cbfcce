/** Messages between the page and the import worker: data that structured cloning can copy. */

import type { Message } from '../../../src/transfer/message.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import type { FilePreview } from './file-preview.ts';
import type { JobFile, JobOptions, LeftOutReasons } from './import-job.ts';
import type { RunResult, RunState } from './import-pass.ts';

/** How the worker sends requests. */
export interface Connection {
  readonly url: string;
  readonly token: string | null;
  readonly usesSession: boolean;
  readonly documentId: string | null;
  readonly mapId: string;
}

/** Arguments and results of the worker's methods. */
export interface WorkerMethods {
  preview(file: JobFile, fields: readonly FieldDefinition[], options: JobOptions): FilePreview;
  check(connection: Connection): RunResult;
  import(connection: Connection): RunResult;
  resume(connection: Connection): RunResult;
  report(reasons: LeftOutReasons): Blob;
  rejected(reasons: LeftOutReasons): JobFile;
}

export type MethodName = keyof WorkerMethods;

/** `stop` stops the run after its current request. */
export type ToWorker =
  | {
      [Name in MethodName]: {
        readonly id: number;
        readonly method: Name;
        readonly args: Parameters<WorkerMethods[Name]>;
      };
    }[MethodName]
  | { readonly method: 'stop' };

/** Why a method of the worker failed. */
export type ImportFailure =
  /** What the file's reader says. `isEncoding`: another encoding may fix it. */
  | { readonly kind: 'unreadable'; readonly sentences: readonly Message[]; readonly isEncoding: boolean }
  | { readonly kind: 'unexpected'; readonly reason: string }
  /** The worker itself failed. */
  | { readonly kind: 'crashed'; readonly reason: string };

export type FromWorker =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly failure: ImportFailure }
  | { readonly kind: 'progress'; readonly state: RunState }
  | { readonly kind: 'wait'; readonly seconds: number };
