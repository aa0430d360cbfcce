/** A thread's side: does one task after the other, and looks between their steps whether it is to stop. */

import type { MessagePort } from 'node:worker_threads';
import { parentPort, workerData } from 'node:worker_threads';
import { constants, getPriority, setPriority } from 'node:os';
import { platform } from 'node:process';

import { FileReader } from '../engine/file-reader.ts';
import type { Task, Tasks } from './long-reads.ts';
import { taskOf } from './long-reads.ts';
import type { Ending, FromThread, ThreadData, ToThread } from './messages.ts';
import { STOP, toFault } from './messages.ts';

/** Serves until the thread is told to end. Called once, by a thread's program. */
export function serveTasks(tasks: Tasks): void {
  if (parentPort === null) throw new Error('serveTasks must run in a thread.');
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
    const { task, input } = message;
    try {
      send(port, perform(reader, taskOf(tasks, task), input, words));
    } catch (error) {
      send(port, { type: 'failed', fault: toFault(error) });
    }
  });
  send(port, { type: 'ready' });
}

function perform(reader: FileReader, task: Task<unknown>, input: unknown, words: Int32Array): Ending {
  reader.begin();
  try {
    const steps = task(reader, input);
    try {
      for (;;) {
        const { done = false, value } = steps.next();
        if (done) return { type: 'done', output: value };
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

function send(port: MessagePort, message: FromThread): void {
  if (message.type !== 'done') {
    port.postMessage(message);
    return;
  }
  const buffers: ArrayBuffer[] = [];
  const output = movable(message.output, buffers);
  port.postMessage({ ...message, output } satisfies FromThread, buffers);
}

/**
 * The value, with bytes that it is or that are its members in buffers of their own.
 *
 * @param buffers takes what is handed over instead of copied
 */
function movable(value: unknown, buffers: ArrayBuffer[]): unknown {
  if (value instanceof Uint8Array) return ownBytes(value, buffers);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      member instanceof Uint8Array ? ownBytes(member, buffers) : member,
    ]),
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function ownBytes(bytes: Uint8Array, buffers: ArrayBuffer[]): Uint8Array {
  const isWhole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
  // A clone of a part would carry the whole buffer along. Node's pool of small buffers cannot be handed over either.
  const own = isWhole ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
  buffers.push(own.buffer);
  return own;
}

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Of the calling thread alone. So it is on Linux (https://man7.org/linux/man-pages/man2/setpriority.2.html, "C library/kernel
 * differences"); elsewhere it would be the whole process, so nothing is done there.
 */
export function lowerPriority(): void {
  if (platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));
  } catch {
    // A sandbox may forbid it. The thread works all the same.
  }
}
