/** MCP over the standard input and output of this process, for one client. */

import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { createMcpServer } from './server.ts';
import { StdioTransport } from './stdio-transport.ts';
import type { McpSession } from './tool.ts';

/** Resolves when the input has ended and all its requests have responses, or when the signal aborts. */
export async function serveMcpOverStdio(session: McpSession, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const transport = new StdioTransport(process.stdin, process.stdout);
  const handle = serveStdio(() => createMcpServer(session), {
    transport,
    // The tools never change, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (error) => session.onRefused(error),
  });
  signal.addEventListener('abort', () => void handle.close(), { once: true });
  await transport.closed;
  await handle.close();
}
