/** A thread's side: does one task after the other, and looks between their steps whether it is to stop. */

import type { MessagePort, TransferListItem } from 'node:worker_threads';
import { parentPort, workerData } from 'node:worker_threads';

import { FileReader } from './file-reader.ts';
import { toFault } from './faults.ts';
import type { Task, Tasks } from './long-reads.ts';
import { taskOf } from './long-reads.ts';
import type { Ending, FromThread, ThreadData, ToThread } from './messages.ts';
import { CREDITS, STOP } from './messages.ts';

/** Serves until the thread is told to end. Called once, by a thread's program. */
export function serveTasks(tasks: Tasks): void {
  if (parentPort === null) throw new Error('Tasks are served in a thread only.');
  const port = parentPort;
  const { path, control } = workerData as ThreadData;
  let reader: FileReader;
  try {
    reader = new FileReader(path);
  } catch (error) {
    send(port, { type: 'unfit', fault: toFault(error) });
    return;
  }
  const words = new Int32Array(control);
  port.on('message', (message: ToThread) => {
    if (message.type === 'end') {
      reader.close();
      port.close();
      return;
    }
    const { task, input, isStream } = message;
    const onItem = isStream ? (item: unknown) => sendItem(port, words, item) : () => {};
    try {
      send(port, perform(reader, taskOf(tasks, task), input, words, onItem));
    } catch (error) {
      send(port, { type: 'failed', fault: toFault(error) });
    }
  });
  send(port, { type: 'ready' });
}

function perform(
  reader: FileReader,
  task: Task<unknown>,
  input: unknown,
  words: Int32Array,
  onItem: (item: unknown) => void,
): Ending {
  reader.begin();
  try {
    const steps = task(reader, input);
    try {
      for (;;) {
        const { done = false, value } = steps.next();
        if (done) return { type: 'done', output: value };
        if (value !== undefined) onItem(value);
        if (Atomics.load(words, STOP) === 1) return { type: 'stopped' };
      }
    } finally {
      // Does nothing where the task has come to its end by itself.
      steps.return(undefined);
    }
  } finally {
    reader.end();
  }
}

/** Waits until there is room for the item, or nobody wants it any more. */
function sendItem(port: MessagePort, words: Int32Array, item: unknown): void {
  while (Atomics.load(words, CREDITS) === 0) Atomics.wait(words, CREDITS, 0);
  Atomics.sub(words, CREDITS, 1);
  if (Atomics.load(words, STOP) === 0) send(port, { type: 'item', item });
}

function send(port: MessagePort, message: FromThread): void {
  if (message.type === 'item') port.postMessage(...moved(message, 'item', message.item));
  else if (message.type === 'done') port.postMessage(...moved(message, 'output', message.output));
  else port.postMessage(message);
}

/** The message, with its bytes in a buffer of their own, and what is handed over instead of copied. */
function moved(message: FromThread, member: string, value: unknown): [FromThread, TransferListItem[]] {
  if (value instanceof ArrayBuffer) return [message, [value]];
  if (!(value instanceof Uint8Array)) return [message, []];
  const isWhole = value.byteLength === value.buffer.byteLength && value.buffer instanceof ArrayBuffer;
  // A clone of a part would carry the whole buffer along. Node's pool of small buffers cannot be handed over either.
  const bytes = isWhole ? new Uint8Array(value.buffer) : new Uint8Array(value);
  return [{ ...message, [member]: bytes }, [bytes.buffer]];
}
