/** A long answer, read to its end by one client and thrown away. */

import { createWriteStream } from 'node:fs';
import { request as send } from 'node:http';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { cpuSecondsOf, residentMegabytesOf } from './cpu.ts';
import type { Headers } from './request.ts';
import type { Subject } from './subject.ts';

export interface Download {
  readonly bytes: number;
  /** From the request to the last byte. */
  readonly seconds: number;
  /** Of the server's processes. */
  readonly cpuSeconds: number;
  /** The server's memory while it was answering, in the order of time. */
  readonly memory: readonly number[];
}

const LOOK_MS = 50;

/** @param file where the answer is written to; left out, nowhere @throws Error where it is no success, or cut */
export async function download(
  subject: Subject,
  path: string,
  headers: Headers,
  file?: string,
): Promise<Download> {
  const { pid } = subject;
  const memory: number[] = [];
  const look = setInterval(() => memory.push(residentMegabytesOf(pid)), LOOK_MS);
  const cpuBefore = cpuSecondsOf(pid);
  const begun = performance.now();
  try {
    const bytes = await drain(subject, path, headers, file);
    const seconds = (performance.now() - begun) / 1000;
    return { bytes, seconds, cpuSeconds: cpuSecondsOf(pid) - cpuBefore, memory };
  } finally {
    clearInterval(look);
  }
}

/** Resolves to the bytes of the answer. @throws Error where it is no success, or cut */
export function drain(
  { origin, name }: Pick<Subject, 'origin' | 'name'>,
  path: string,
  headers: Headers,
  file?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = send(new URL(path, origin), { headers, agent: false }, (response) => {
      if (response.statusCode !== 200)
        response.destroy(new Error(`${name} answers ${response.statusCode} to GET ${path}.`));
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      const target = file === undefined ? nowhere() : createWriteStream(file);
      pipeline(response, target).then(() => resolve(bytes), reject);
    });
    request.on('error', reject);
    request.end();
  });
}

function nowhere(): Writable {
  return new Writable({
    highWaterMark: 1024 * 1024,
    write: (_chunk, _encoding, done) => done(),
  });
}
