/** Asserts that every subject gives the same responses: otherwise the numbers would not be comparable. */

import { isDeepStrictEqual } from 'node:util';

import type { Response, Headers, HttpRequest } from './request.ts';
import { ask } from './request.ts';
import type { Subject } from './subject.ts';

/** `bytes`: status, media type, link and every byte; `json`: status and the JSON. */
export type Sameness = 'bytes' | 'json';

/** All get the same Host header, because links to the next page repeat it. */
const HOST = 'bench.example';

/** @throws Error that shows where a subject differs from the first */
export async function assertEqual(
  [first, ...others]: readonly Subject[],
  requests: readonly HttpRequest[],
  headers: Headers,
  sameness: Sameness,
): Promise<void> {
  if (first === undefined) return;
  for (const request of requests) {
    const expected = await ask(first.origin, request, { ...headers, host: HOST });
    if (expected.status !== 200)
      throw new Error(
        `${first.name} responded to ${describe(request)} with ${expected.status}: ${text(expected)}`,
      );
    for (const other of others) {
      const response = await ask(other.origin, request, { ...headers, host: HOST });
      const difference = compare(expected, response, sameness);
      if (difference === null) continue;
      throw new Error(
        `${other.name} responded to ${describe(request)} differently from ${first.name}: ${difference}`,
      );
    }
  }
}

function compare(expected: Response, response: Response, sameness: Sameness): string | null {
  if (response.status !== expected.status)
    return `status ${response.status}, not ${expected.status}: ${text(response).slice(0, 500)}`;
  if (sameness === 'json') {
    const isSame = isDeepStrictEqual(JSON.parse(text(response)), JSON.parse(text(expected)));
    return isSame ? null : differenceOf(text(expected), text(response));
  }
  for (const header of ['contentType', 'link'] as const) {
    if (response[header] !== expected[header])
      return `${header} ${JSON.stringify(response[header])}, not ${JSON.stringify(expected[header])}`;
  }
  return response.body.equals(expected.body) ? null : differenceOf(text(expected), text(response));
}

function differenceOf(expected: string, found: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at += 1;
  const around = (whole: string) => JSON.stringify(whole.slice(Math.max(0, at - 60), at + 60));
  return `from character ${at} on\n  expected ${around(expected)}\n  found    ${around(found)}`;
}

function text({ body }: Response): string {
  return body.toString();
}

function describe({ path, body }: HttpRequest): string {
  return body === undefined ? `GET ${path}` : `POST ${path} ${body.slice(0, 300)}`;
}
