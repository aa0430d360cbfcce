/** What the page and the worker of an import tell each other. Plain data: it is copied. */

import type { FieldDefinition } from '../field-inputs.ts';
import type { JobFile, JobOptions, Look, RunResult, RunState } from './import-job.ts';

/** What the worker asks the server with. */
export interface Connection {
  readonly url: string;
  readonly token: string | null;
  readonly documentId: string | null;
  readonly mapId: string;
}

/** Arguments and results of the worker's methods, by their names. */
export interface WorkerMethods {
  look(file: JobFile, fields: readonly FieldDefinition[], options: JobOptions): Look;
  check(connection: Connection): RunResult;
  import(connection: Connection): RunResult;
  resume(connection: Connection): RunResult;
  report(): Blob;
  rejected(): JobFile;
}

export type MethodName = keyof WorkerMethods;

/** `stop` ends a run after the request that is under way. */
export type ToWorker =
  | {
      [Name in MethodName]: {
        readonly id: number;
        readonly method: Name;
        readonly args: Parameters<WorkerMethods[Name]>;
      };
    }[MethodName]
  | { readonly method: 'stop' };

export type FromWorker =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  /** `isEncoding`: the text may be in another encoding. */
  | { readonly kind: 'error'; readonly id: number; readonly message: string; readonly isEncoding: boolean }
  | { readonly kind: 'progress'; readonly state: RunState }
  | { readonly kind: 'wait'; readonly seconds: number };
