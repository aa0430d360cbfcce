/** MCP over Streamable HTTP: one message per request, and one response to it, without sessions. */

import { createMcpHandler } from '@modelcontextprotocol/server';

import { createMcpServer } from './server.ts';
import type { McpSession } from './tool.ts';

export interface McpRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed JSON. */
  readonly body: unknown;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface McpResponse {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: string;
}

export async function handleMcpRequest(
  { headers, body, signal }: McpRequest,
  session: McpSession,
): Promise<McpResponse> {
  const handler = createMcpHandler(() => createMcpServer(session), {
    // The tools never change, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (error) => session.onRefused(error),
  });
  // The handler reads the path of no request.
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: ownHeaders(headers),
    signal,
  });
  const response = await handler.fetch(request, { parsedBody: body });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const OWN_HEADERS = /^(?:accept|content-type|mcp-.+)$/;

function ownHeaders(headers: McpRequest['headers']): [string, string][] {
  return Object.entries(headers)
    .filter(([name, value]) => OWN_HEADERS.test(name) && value !== undefined)
    .map(([name, value]) => [name, String(value)]);
}
