/** What a thread and its starter tell each other. A thread does one task at a time. */

import type { Fault } from './faults.ts';

/** What a thread is started with. */
export interface ThreadData {
  /** The database file. */
  readonly path: string;
  /** The words that both sides see at once; see {@link STOP}. */
  readonly control: SharedArrayBuffer;
  /** The URL of the program. */
  readonly program: string;
}

/** A word of the control: 1 when the present task is to stop. */
export const STOP = 0;
export const CONTROL_BYTES = Int32Array.BYTES_PER_ELEMENT;

export type ToThread =
  | { readonly type: 'begin'; readonly task: string; readonly input: unknown }
  /** Close the file and end. */
  | { readonly type: 'end' };

export type FromThread =
  /** The file is open. */
  | { readonly type: 'ready' }
  /** The file could not be opened. */
  | { readonly type: 'unfit'; readonly fault: Fault }
  /** The last message about a task, sent when its transaction has ended. */
  | Ending;

export type Ending =
  | { readonly type: 'done'; readonly output: unknown }
  | { readonly type: 'failed'; readonly fault: Fault }
  | { readonly type: 'stopped' };
