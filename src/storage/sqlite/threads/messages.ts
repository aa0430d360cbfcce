/** What a thread and its starter tell each other. A thread does one task at a time. */

import type { Fault } from './faults.ts';

/** What a thread is started with. */
export interface ThreadData {
  /** The database file. */
  readonly path: string;
  /** The words that both sides see at once; see {@link STOP} and {@link CREDITS}. */
  readonly control: SharedArrayBuffer;
  /** The URL of the program. */
  readonly program: string;
}

/** A word of the control: 1 when the present task is to stop. */
export const STOP = 0;
/** A word of the control: how many items of a stream may be sent. The thread sleeps on it at 0. */
export const CREDITS = 1;
export const CONTROL_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT;

export type ToThread =
  | { readonly type: 'begin'; readonly task: string; readonly input: unknown; readonly isStream: boolean }
  /** Close the file and end. */
  | { readonly type: 'end' };

export type FromThread =
  /** The file is open. */
  | { readonly type: 'ready' }
  /** The file could not be opened. */
  | { readonly type: 'unfit'; readonly fault: Fault }
  | { readonly type: 'item'; readonly item: unknown }
  /** The last message about a task, sent when its transaction has ended. */
  | Ending;

export type Ending =
  | { readonly type: 'done'; readonly output: unknown }
  | { readonly type: 'failed'; readonly fault: Fault }
  | { readonly type: 'stopped' };
