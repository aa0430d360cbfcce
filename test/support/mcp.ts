/** A client of the official package, connected to a server of this process. */

import type { CallToolResult } from '@modelcontextprotocol/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import type { TestServer } from './server.ts';

/** The newest revision, and the ones before it, whose clients send `initialize`. */
export type Era = 'modern' | 'legacy';

export const ERAS: readonly Era[] = ['modern', 'legacy'];

export interface McpClientOptions {
  /** Null for none. */
  readonly token: string | null;
  readonly era?: Era;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the server listen at its first call. */
export async function mcpUrlOf({ app }: Pick<TestServer, 'app'>): Promise<URL> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen.');
  return new URL(`http://127.0.0.1:${address.port}/mcp`);
}

export function createClient(era: Era): Client {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
}

export async function connectMcp(
  server: Pick<TestServer, 'app'>,
  { token, era = 'modern', headers = {} }: McpClientOptions,
): Promise<Client> {
  const client = createClient(era);
  await client.connect(
    new StreamableHTTPClientTransport(await mcpUrlOf(server), {
      requestInit: { headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers } },
    }),
  );
  return client;
}

/** The structured content of a successful call, which equals its text. @throws Error with the text of a failed one */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test knows what it asked for
): Promise<any> {
  const result = await client.callTool({ name, arguments: args });
  const text = textOf(result);
  if (result.isError === true) throw new Error(text);
  expect(JSON.parse(text)).toEqual(result.structuredContent);
  return result.structuredContent;
}

export function textOf({ content }: CallToolResult): string {
  const [first] = content;
  if (first?.type !== 'text' || content.length !== 1) throw new Error('The result is not one text.');
  return first.text;
}
