/** Asserts that all subjects give the same responses: otherwise their numbers are not comparable. */

import { isDeepStrictEqual } from 'node:util';

import type { Response, Headers, HttpRequest } from './request.ts';
import { sendRequest } from './request.ts';
import type { Subject } from './subject.ts';

/** `bytes`: status, media type, link and every byte; `json`: status and the JSON. */
export type Comparison = 'bytes' | 'json';

/** The same for all, because links to the next page contain it. */
const HOST = 'bench.example';

/** @throws Error that shows where a subject differs from the first */
export async function assertEqual(
  [first, ...others]: readonly Subject[],
  requests: readonly HttpRequest[],
  headers: Headers,
  comparison: Comparison,
): Promise<void> {
  if (first === undefined) return;
  for (const request of requests) {
    const expected = await sendRequest(first.origin, request, { ...headers, host: HOST });
    if (expected.status !== 200)
      throw new Error(
        `${first.name} responded to ${describe(request)} with ${expected.status}: ${text(expected)}`,
      );
    for (const other of others) {
      const response = await sendRequest(other.origin, request, { ...headers, host: HOST });
      const difference = compare(expected, response, comparison);
      if (difference === null) continue;
      throw new Error(
        `${other.name} responded to ${describe(request)} differently from ${first.name}: ${difference}`,
      );
    }
  }
}

function compare(expected: Response, response: Response, comparison: Comparison): string | null {
  if (response.status !== expected.status)
    return `status ${response.status}, not ${expected.status}: ${text(response).slice(0, 500)}`;
  if (comparison === 'json') {
    const isSame = isDeepStrictEqual(JSON.parse(text(response)), JSON.parse(text(expected)));
    return isSame ? null : differenceOf(text(expected), text(response));
  }
  for (const header of ['contentType', 'link'] as const) {
    if (response[header] !== expected[header])
      return `${header} ${JSON.stringify(response[header])}, not ${JSON.stringify(expected[header])}`;
  }
  return response.body.equals(expected.body) ? null : differenceOf(text(expected), text(response));
}

function differenceOf(expected: string, received: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === received[at]) at += 1;
  const around = (whole: string) => JSON.stringify(whole.slice(Math.max(0, at - 60), at + 60));
  return `from character ${at} on\n  expected ${around(expected)}\n  received ${around(received)}`;
}

function text({ body }: Response): string {
  return body.toString();
}

function describe({ path, body }: HttpRequest): string {
  return body === undefined ? `GET ${path}` : `POST ${path} ${body.slice(0, 300)}`;
}
