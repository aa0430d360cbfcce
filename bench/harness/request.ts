/** Sends single requests. */

import { request as send } from 'node:http';

export interface HttpRequest {
  readonly path: string;
  /** JSON of a POST; undefined for a GET. */
  readonly body?: string;
}

export interface Response {
  readonly status: number;
  readonly contentType: string;
  readonly link: string;
  readonly body: Buffer;
}

export type Headers = Readonly<Record<string, string>>;

export function headersOf(token: string): Headers {
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'content-type': 'application/json',
  };
}

/** @param headers may override Host, which links to the next page contain */
export function sendRequest(
  origin: string,
  { path, body }: HttpRequest,
  headers: Headers,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options = { method: body === undefined ? 'GET' : 'POST', headers, agent: false };
    const request = send(new URL(path, origin), options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? '',
          link: String(response.headers.link ?? ''),
          body: Buffer.concat(chunks),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

export function graphql(query: string, variables: object): HttpRequest {
  return { path: '/graphql', body: JSON.stringify({ query, variables }) };
}

/** @throws Error for a response with errors */
export function queryGraphql<T>(origin: string, token: string, query: string, variables: object): Promise<T> {
  return queryData<T>(origin, token, graphql(query, variables));
}

/** @throws Error for a response with errors */
export async function queryData<T>(origin: string, token: string, request: HttpRequest): Promise<T> {
  const { body } = await sendRequest(origin, request, headersOf(token));
  const { data, errors } = JSON.parse(body.toString()) as { data: T; errors?: unknown };
  if (errors !== undefined) throw new Error(`GraphQL responded with ${JSON.stringify(errors)}`);
  return data;
}
