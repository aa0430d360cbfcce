/** POST /mcp: the MCP server, which is loaded at its first request (capabilities §20). */

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { BodyInputError, ServiceError } from '../../errors.ts';
import type { BudgetLimits } from '../../graphql/limits/operation-budget.ts';
import type { Executor } from '../../graphql/execution/execution.ts';
import { lazy } from '../../lib/lazy.ts';
import type { McpSession } from '../../mcp/tool.ts';
import { isOwnOrListed, respondToOptions } from '../cors.ts';
import { sendMcpError, toServiceError, unsupportedMediaType } from '../errors.ts';
import { assertDepth } from '../request/json-body.ts';
import { onBodyArrived } from '../request/lifecycle.ts';
import { isJsonType } from '../request/media-types.ts';
import type { PublicRequests } from './public-requests.ts';

export const MCP_PATH = '/mcp';
export const MCP_METHODS = 'POST, OPTIONS';

export interface McpRoutesOptions extends PublicRequests {
  readonly executor: Executor;
  readonly allowsWrites: boolean;
  /** Of each call of a tool. */
  readonly budget: BudgetLimits;
  readonly corsOrigins: readonly string[];
  readonly publicUrl: string | null;
}

const MCP_HEADERS = ', MCP-Protocol-Version, Mcp-Method, Mcp-Name';

/** Set already, or up to the connection. */
const NOT_COPIED: ReadonlySet<string> = new Set(['cache-control', 'connection', 'keep-alive']);

export function mcpRoutes(app: FastifyInstance, options: McpRoutesOptions): void {
  const { requests, countPublic, corsOrigins, publicUrl } = options;
  const mcp = lazy(() => import('../../mcp/http.ts'));
  app.setErrorHandler(sendMcpError);

  app.route({
    method: 'POST',
    url: MCP_PATH,
    onRequest: async (request, reply) => {
      // Against DNS rebinding, as the specification of the transport demands.
      if (!isOwnOrListed(request, corsOrigins, publicUrl)) {
        throw new ServiceError(
          'FORBIDDEN',
          "The origin may not use MCP: it is neither the server's own nor listed in CORS_ORIGINS.",
        );
      }
      if (request.headers.authorization === undefined) {
        countPublic(request, reply);
        await requests.beginPublic(request, reply);
      } else await requests.begin(request, reply);
      if (!isJsonType(request.headers['content-type'])) throw unsupportedMediaType();
    },
    preHandler: onBodyArrived(requests),
    handler: async (request, reply) => {
      const { headers, body } = request;
      assertDepth(body);
      // Each message counts for the rate limit.
      if (Array.isArray(body))
        throw new BodyInputError('The body must be one JSON-RPC message, not a batch.');
      const { handleMcpRequest } = await mcp.get();
      const { signal } = requests.scopeOf(request);
      const response = await handleMcpRequest({ headers, body, signal }, sessionOf(request, options));
      for (const [name, value] of response.headers) {
        if (!NOT_COPIED.has(name)) reply.header(name, value);
      }
      return reply.code(response.status).send(response.body);
    },
  });

  app.options(MCP_PATH, (request, reply) => respondToOptions(request, reply, MCP_METHODS, MCP_HEADERS));
}

function sessionOf(
  request: FastifyRequest,
  { requests, executor, budget, allowsWrites }: McpRoutesOptions,
): McpSession {
  return {
    caller: requests.scopeOf(request).caller,
    executor,
    allowsWrites,
    createContext: () => requests.contextOf(request, budget),
    toServiceError: (thrown) => toServiceError(thrown, request),
    onRefused: (error) => request.log.debug({ err: error }, 'MCP refused a request'),
  };
}
