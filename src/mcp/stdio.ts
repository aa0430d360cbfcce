/** MCP over the standard input and output of this process, for one client. */

import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { createMcpServer } from './server.ts';
import type { McpSession } from './tool.ts';

/** Resolves when the client closes the input, or when the signal aborts. */
export async function serveMcpOverStdio(session: McpSession, signal: AbortSignal): Promise<void> {
  const handle = serveStdio(() => createMcpServer(session), {
    // The tools never change, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (error) => session.onRefused(error),
  });
  await new Promise<void>((resolve) => {
    process.stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
}
