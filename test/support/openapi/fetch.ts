/** `fetch` that checks responses of /v0 against the server's own OpenAPI document, in any process. */

import { createResponseCheck } from './response-check.ts';

/**
 * @returns the response, with an unread body
 * @throws Error for a response that the server's own OpenAPI document does not describe
 */
export async function fetchDescribed(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const { origin, pathname, search } = new URL(address);
  if (!pathname.startsWith('/v0/')) return fetch(address, init);
  // First, since the server may be shutting down.
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
