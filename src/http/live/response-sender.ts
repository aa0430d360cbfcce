/** The results of one subscription or operation, sent on a WebSocket connection past graphql-ws. */

import type { GraphQLFormattedError } from 'graphql';
import { GraphQLError } from 'graphql';

import type { Responses } from '../../graphql/context.ts';
import { SlowReaderError } from '../../services/changes/change-service.ts';
import type { StreamObserver } from './connections.ts';
import type { WebSocketConnection } from './websocket-connection.ts';
import { CLOSE } from './websocket-connection.ts';

/** The protocol message with one result. @param text the result as JSON */
export function nextMessage(id: string, text: string | Buffer): string | Buffer {
  const head = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
  if (typeof text === 'string') return `${head}${text}}`;
  return Buffer.concat([Buffer.from(head), text, Buffer.from('}')]);
}

/** An error whose JSON is exactly what the client gets. */
export class ResponseError extends GraphQLError {
  readonly #clientError: GraphQLFormattedError;

  constructor(clientError: GraphQLFormattedError) {
    super(clientError.message, { extensions: clientError.extensions });
    this.#clientError = clientError;
  }

  override toJSON(): GraphQLFormattedError {
    return this.#clientError;
  }
}

const DONE = { done: true, value: undefined } as const;

async function* nothing(): AsyncGenerator<never, undefined> {}
/** An iterator without values: the operation is done. */
export const NOTHING_MORE = { [Symbol.asyncIterator]: nothing };

/** Sends the results of a subscription itself; to graphql-ws it is an iterator without values. */
export class ResponseSender implements AsyncIterableIterator<never> {
  readonly #id: string;
  readonly #responses: Responses;
  readonly #connection: WebSocketConnection;
  readonly #observer: StreamObserver;
  readonly #clientError: (error: unknown) => GraphQLFormattedError;

  constructor(
    id: string,
    responses: Responses,
    connection: WebSocketConnection,
    observer: StreamObserver,
    clientError: (error: unknown) => GraphQLFormattedError,
  ) {
    this.#id = id;
    this.#responses = responses;
    this.#connection = connection;
    this.#observer = observer;
    this.#clientError = clientError;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<typeof DONE> {
    this.#observer.observeSubscription(1);
    try {
      for await (const text of this.#responses) {
        await this.#connection.send(nextMessage(this.#id, text));
        this.#observer.observeChangeSent();
      }
    } catch (error) {
      if (!(error instanceof SlowReaderError)) throw new ResponseError(this.#clientError(error));
      this.#connection.close(CLOSE.tooMuch, error.message);
    } finally {
      this.#observer.observeSubscription(-1);
    }
    return DONE;
  }

  async return(): Promise<typeof DONE> {
    await this.#responses.return?.();
    return DONE;
  }

  /** graphql-ws requires it of an async generator. */
  async throw(error: unknown): Promise<typeof DONE> {
    throw error;
  }
}
