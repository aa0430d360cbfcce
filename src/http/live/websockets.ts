/**
 * GraphQL over WebSocket (graphql-transport-ws), by graphql-ws; loaded with the first upgrade. Result texts bypass
 * graphql-ws, which would serialize the same result for each subscriber.
 */

import type { FastifyBaseLogger } from 'fastify';
import type { ExecutionArgs, GraphQLError } from 'graphql';
import { GraphQLSchema, parse } from 'graphql';
import type { Context, SubscribePayload } from 'graphql-ws';
import { handleProtocols, makeServer } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';

import type { JsonObject } from '../../domain/json/json.ts';
import { isJsonObject } from '../../domain/json/json.ts';
import { findUnsafeInteger, unsafeIntegerMessage } from '../../domain/json/json-integers.ts';
import { BodyInputError, ServiceError } from '../../errors.ts';
import type { Authentication } from '../request/authentication.ts';
import { keyOf } from '../request/authentication.ts';
import { assertDepth } from '../request/json-body.ts';
import type { LiveConnections, StreamObserver } from './connections.ts';
import type { LiveOperations } from './operations.ts';
import { nextMessage, NOTHING_MORE, ResponseError, ResponseSender } from './response-sender.ts';
import { toLiveError } from '../errors.ts';
import type { Upgrade } from './upgrades.ts';
import type { WebSocketOptions } from './websocket-connection.ts';
import { CLOSE, WebSocketConnection } from './websocket-connection.ts';

export interface WebSocketsOptions {
  readonly operations: LiveOperations;
  readonly connections: LiveConnections;
  readonly authentication: Authentication;
  readonly observer: StreamObserver;
  readonly logger: FastifyBaseLogger;
  /** Bytes of one message. */
  readonly maxMessageBytes: number;
  /** Milliseconds for a client to send `connection_init`. */
  readonly initTimeoutMs: number;
  /** Concurrent operations per connection. */
  readonly maxOperations: number;
}

export interface WebSockets {
  /**
   * Accepts the upgrade, and serves the connection.
   *
   * @param headers of the response, as lines
   */
  accept(
    request: Parameters<WebSocketServer['handleUpgrade']>[0],
    upgrade: Upgrade,
    headers: readonly string[],
    options: WebSocketOptions,
  ): void;
}

type Served = Context<Record<string, unknown>, WebSocketConnection>;

export function openWebSockets(options: WebSocketsOptions): WebSockets {
  const { connections } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: options.maxMessageBytes,
    handleProtocols,
  });
  let headersNow: readonly string[] = [];
  server.on('headers', (lines) => lines.push(...headersNow));
  const protocol = makeServer<Record<string, unknown>, WebSocketConnection>({
    connectionInitWaitTimeout: options.initTimeoutMs,
    onConnect: (context) => beginConnection(context, options),
    onSubscribe: (context, id, payload) => beginOperation(context, id, payload, options),
    subscribe: ({ contextValue }) => contextValue as ResponseSender,
    onError: (_context, _id, _payload, errors) => errors.map((error) => error.toJSON()),
  });

  return {
    accept(request, { socket, head }, headers, given) {
      headersNow = headers;
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = new WebSocketConnection(webSocket, socket, given);
        try {
          connections.add(connection);
        } catch {
          return connection.close(CLOSE.tryAgainLater, 'Try again later');
        }
        serveConnection(protocol, webSocket, connection, options);
      });
    },
  };
}

type Protocol = ReturnType<typeof makeServer<Record<string, unknown>, WebSocketConnection>>;

function serveConnection(
  protocol: Protocol,
  webSocket: WebSocket,
  connection: WebSocketConnection,
  { connections, logger }: WebSocketsOptions,
): void {
  const closed = protocol.opened(
    {
      protocol: webSocket.protocol,
      send: (message) => connection.send(message),
      close: (code = CLOSE.failed, reason = '') => connection.close(code, reason),
      onMessage(handle) {
        webSocket.on('message', (data) => {
          connection.heard();
          // `ws` delivers messages as one Buffer.
          const text = (data as Buffer).toString();
          if (!admitMessage(text, connection)) return;
          handle(text).catch((error: unknown) => {
            toLiveError(error, connection.requestId, logger);
            connection.close(CLOSE.failed, 'Internal server error');
          });
        });
      },
    },
    connection,
  );
  webSocket.on('pong', () => connection.heard());
  // Protocol errors close the socket with their own code and are not logged as errors.
  webSocket.on('error', () => {});
  webSocket.once('close', (code, reason) => {
    connections.remove(connection);
    closed(code, reason.toString()).catch((error: unknown) => {
      toLiveError(error, connection.requestId, logger);
    });
  });
}

/**
 * Rejects integers that JSON.parse would round; graphql-ws does not expose the text. For `subscribe` the operation is
 * rejected when graphql-ws starts it; any other message closes the connection.
 *
 * @returns false if the connection closes
 */
function admitMessage(text: string, connection: WebSocketConnection): boolean {
  const fault = unsafeIntegerIn(text);
  if (fault === null) return true;
  const { id, type } = fault.message;
  if (type === 'subscribe' && typeof id === 'string') {
    connection.refusals.set(id, fault.error);
    return true;
  }
  // A close reason has at most 123 bytes: too short for the path.
  connection.close(
    CLOSE.badMessage,
    `The message has an integer beyond ±${Number.MAX_SAFE_INTEGER}; send it as a string`,
  );
  return false;
}

function unsafeIntegerIn(
  text: string,
): { readonly message: JsonObject; readonly error: ServiceError } | null {
  const path = findUnsafeInteger(text);
  if (path === null) return null;
  const message: unknown = JSON.parse(text);
  const error = new BodyInputError(unsafeIntegerMessage(path.replace(/^payload\./, '')));
  return { message: isJsonObject(message) ? message : {}, error };
}

/** @returns false to reject the connection */
async function beginConnection(
  { connectionParams = {}, extra: connection }: Served,
  { authentication, connections, logger }: WebSocketsOptions,
): Promise<boolean> {
  const { address, requestId } = connection;
  const given = connectionParams['authorization'] ?? connectionParams['Authorization'];
  const credentials =
    typeof given === 'string' ? { ...connection.credentials, authorization: given } : connection.credentials;
  try {
    const caller = await authentication.identifyAt(address, credentials, {});
    const key = keyOf(address, caller);
    connections.identify(connection, { key, credentials: caller === null ? null : credentials });
    connection.caller = caller;
    connection.isInitialized = true;
    return true;
  } catch (error) {
    const { extensions, message } = toLiveError(error, requestId, logger);
    connection.close(closeCodeOf(extensions?.['code']), message);
    return false;
  }
}

function closeCodeOf(code: unknown): number {
  if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN' || code === 'CSRF') return CLOSE.forbidden;
  if (code === 'RATE_LIMITED') return CLOSE.tooMuch;
  return code === 'INTERNAL_SERVER_ERROR' ? CLOSE.failed : CLOSE.tryAgainLater;
}

/** graphql-ws expects an execution of a subscription; here it gets an {@link ResponseSender}. */
const ANY_SUBSCRIPTION = { schema: new GraphQLSchema({}), document: parse('subscription { any }') };

async function beginOperation(
  { extra: connection, subscriptions }: Served,
  id: string,
  payload: SubscribePayload,
  { operations, observer, logger, maxOperations }: WebSocketsOptions,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  const clientError = (error: unknown) => toLiveError(error, connection.requestId, logger);
  const refusal = connection.refusals.get(id);
  connection.refusals.delete(id);
  return connection.during(async () => {
    try {
      // Includes this operation.
      if (Object.keys(subscriptions).length > maxOperations) {
        throw new ServiceError(
          'RATE_LIMITED',
          `Over ${maxOperations} concurrent operations on one connection.`,
        );
      }
      if (refusal !== undefined) throw refusal;
      assertDepth(payload);
      const result = await operations.execute(payload, connection);
      if (result.kind === 'rejected') return result.errors.map((error) => new ResponseError(error));
      if (result.kind === 'stream') {
        const sender = new ResponseSender(id, result.responses, connection, observer, clientError);
        return { ...ANY_SUBSCRIPTION, contextValue: sender };
      }
      // The client may have sent `complete` meanwhile.
      if (Object.hasOwn(subscriptions, id)) await connection.send(nextMessage(id, result.text));
      return { ...ANY_SUBSCRIPTION, contextValue: NOTHING_MORE };
    } catch (error) {
      return [new ResponseError(clientError(error))];
    }
  });
}
