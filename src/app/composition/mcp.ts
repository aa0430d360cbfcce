/** MCP on the store, without a server. */

import { createContext } from '../../graphql/context.ts';
import { createExecutor } from '../../graphql/execution/executor.ts';
import { ResponseMemory } from '../../graphql/limits/response-memory.ts';
import { classifyError } from '../../http/errors.ts';
import { newRequestId } from '../../http/request/request-id.ts';
import { serveMcpOverStdio } from '../../mcp/stdio.ts';
import type { McpSession } from '../../mcp/tool.ts';
import type { Caller } from '../../services/caller.ts';
import { Deadline } from '../../storage/deadline.ts';
import type { Config } from '../config.ts';
import type { Application } from './application.ts';

export interface StdioOptions {
  /** Called for each call of a tool, since a token may be revoked. Null for the public. */
  readonly identify: () => Promise<Caller | null>;
  readonly onUnexpectedError: (error: unknown) => void;
  /** Called for messages that the protocol refuses. */
  readonly onRefused: (error: Error) => void;
  readonly signal: AbortSignal;
}

/** Serves one client until it disconnects or the signal aborts. @throws what `identify` throws at the start */
export async function serveMcp(
  application: Application,
  config: Config,
  { identify, onUnexpectedError, onRefused, signal }: StdioOptions,
): Promise<void> {
  const { services } = application;
  const { schemas } = await application.loadApi();
  const executor = createExecutor(schemas);
  const memory = new ResponseMemory(config.unreadLimit);
  const budget = { maxRows: config.graphql.maxRows, maxBytes: config.responseLimit, memory };
  const times = {
    totalMs: config.geocoding.requestTimeoutMs,
    storageMs: config.databaseTimeoutMs,
    searchMs: config.searchTimeoutMs,
  };
  const open = async (): Promise<McpSession> => {
    const caller = await identify();
    const requestId = newRequestId();
    return {
      caller,
      executor,
      allowsWrites: config.mcp.allowsWrites,
      createContext: () =>
        createContext(services, { requestId, caller, deadline: new Deadline(times), signal }, budget),
      toServiceError: (thrown) => {
        const { error, isUnexpected } = classifyError(thrown, requestId);
        if (isUnexpected) onUnexpectedError(thrown);
        return error;
      },
      onRefused,
      renew: open,
    };
  };
  await serveMcpOverStdio(await open(), signal);
}
