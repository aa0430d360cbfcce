/** Downloads a long response with one client and discards it. */

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
  /** Processor time of the server's processes. */
  readonly cpuSeconds: number;
  /** Samples of the server's memory during the download, in MiB. */
  readonly memory: readonly number[];
}

const SAMPLE_MS = 50;

/** @param file saves the response @throws Error for a status other than 200 or a truncated response */
export async function download(
  subject: Subject,
  path: string,
  headers: Headers,
  file?: string,
): Promise<Download> {
  const { pid } = subject;
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(residentMegabytesOf(pid)), SAMPLE_MS);
  const cpuBefore = cpuSecondsOf(pid);
  const startedAt = performance.now();
  try {
    const bytes = await drain(subject, path, headers, file);
    const seconds = (performance.now() - startedAt) / 1000;
    return { bytes, seconds, cpuSeconds: cpuSecondsOf(pid) - cpuBefore, memory };
  } finally {
    clearInterval(sampling);
  }
}

/** @returns number of bytes in the body @throws Error for a status other than 200 or a truncated response */
export function drain(
  { origin, name }: Pick<Subject, 'origin' | 'name'>,
  path: string,
  headers: Headers,
  file?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = send(new URL(path, origin), { headers, agent: false }, (response) => {
      if (response.statusCode !== 200)
        response.destroy(new Error(`${name} responded to GET ${path} with ${response.statusCode}.`));
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      const sink = file === undefined ? discard() : createWriteStream(file);
      pipeline(response, sink).then(() => resolve(bytes), reject);
    });
    request.on('error', reject);
    request.end();
  });
}

function discard(): Writable {
  return new Writable({
    highWaterMark: 1024 * 1024,
    write: (_chunk, _encoding, done) => done(),
  });
}
