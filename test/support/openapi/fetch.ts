/** `fetch` that holds answers of /v0 against the server's own OpenAPI document, whichever process serves them. */

import { createResponseCheck } from './response-check.ts';

/**
 * @returns the answer, whose body can be read as any other
 * @throws Error for an answer that the server's own OpenAPI document does not describe
 */
export async function fetchDescribed(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const { origin, pathname, search } = new URL(address);
  if (!pathname.startsWith('/v0/')) return fetch(address, init);
  // First: the server may be going away.
  const document = await (await fetch(`${origin}/v0/openapi.json`)).text();
  const response = await fetch(address, init);
  const { method = 'GET' } = init;
  const undescribed = createResponseCheck(document)(method, pathname + search, {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.clone().text(),
  });
  if (undescribed.length === 0) return response;
  throw new Error(
    `The OpenAPI document does not describe ${undescribed.join(', ')} of ${method} ${pathname}: ${response.status}`,
  );
}
