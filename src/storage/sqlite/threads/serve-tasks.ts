/** The thread's side: runs one task at a time, and checks between steps whether to stop. */

import type { MessagePort } from 'node:worker_threads';
import { parentPort, workerData } from 'node:worker_threads';
import { constants, getPriority, setPriority } from 'node:os';
import { platform } from 'node:process';

import { FileReader } from '../engine/file-reader.ts';
import type { Task, Tasks } from './long-reads.ts';
import { taskOf } from './long-reads.ts';
import type { TaskEnd, FromThread, ThreadData, ToThread } from './messages.ts';
import { STOP, serializeError } from './messages.ts';

/** Runs tasks until the thread is asked to end. A thread's program calls it once. */
export function serveTasks(tasks: Tasks): void {
  if (parentPort === null) throw new Error('serveTasks must run in a thread.');
  const port = parentPort;
  const { path, control: buffer } = workerData as ThreadData;
  let reader: FileReader;
  try {
    reader = new FileReader(path);
  } catch (error) {
    send(port, { type: 'open-failed', error: serializeError(error) });
    return;
  }
  const control = new Int32Array(buffer);
  port.on('message', (message: ToThread) => {
    if (message.type === 'end') {
      reader.close();
      port.close();
      return;
    }
    const { task, input } = message;
    try {
      send(port, perform(reader, taskOf(tasks, task), input, control));
    } catch (error) {
      send(port, { type: 'failed', error: serializeError(error) });
    }
  });
  send(port, { type: 'ready' });
}

function perform(reader: FileReader, task: Task<unknown>, input: unknown, control: Int32Array): TaskEnd {
  reader.begin();
  try {
    const steps = task(reader, input);
    try {
      for (;;) {
        const { done = false, value } = steps.next();
        if (done) return { type: 'done', output: value };
        if (Atomics.load(control, STOP) === 1) return { type: 'stopped' };
      }
    } finally {
      // Has no effect on a finished task.
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
  const output = transferable(message.output, buffers);
  port.postMessage({ ...message, output } satisfies FromThread, buffers);
}

/**
 * Copies byte arrays, which are the value or its members, into buffers that can be transferred.
 *
 * @param buffers receives these buffers
 */
function transferable(value: unknown, buffers: ArrayBuffer[]): unknown {
  if (value instanceof Uint8Array) return bytesInOwnBuffer(value, buffers);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      member instanceof Uint8Array ? bytesInOwnBuffer(member, buffers) : member,
    ]),
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function bytesInOwnBuffer(bytes: Uint8Array, buffers: ArrayBuffer[]): Uint8Array {
  const isWhole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
  // Cloning a view would clone its whole buffer. Node's pool of small buffers cannot be transferred.
  const own = isWhole ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
  buffers.push(own.buffer);
  return own;
}

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Gives the event loop priority over this thread. Only on Linux, where priorities are per thread
 * (https://man7.org/linux/man-pages/man2/setpriority.2.html, "C library/kernel differences"); elsewhere it would affect the
 * whole process.
 */
export function lowerPriority(): void {
  if (platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));
  } catch {
    // A sandbox may forbid it; the thread works anyway.
  }
}
