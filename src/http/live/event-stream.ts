/**
 * GraphQL over server-sent events, in distinct connections mode
 * (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md). graphql-sse's handler buffers without limit for
 * slow clients, so the protocol is implemented here.
 */

import type { ServerResponse } from 'node:http';

import type { FastifyBaseLogger } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';

import type { Responses } from '../../graphql/context.ts';
import { SlowReaderError } from '../../services/changes/change-service.ts';
import { unauthenticated } from '../../services/caller.ts';
import { weightOf } from '../request/media-types.ts';
import { toGraphqlError, toLiveError } from '../errors.ts';
import type { LiveConnection, StreamObserver } from './connections.ts';

export const EVENT_STREAM = 'text/event-stream';

const COMPLETE = 'event: complete\ndata: \n\n';
/** Sent first, so that the client sees the headers, and as a ping. */
const COMMENT = ':\n\n';

const OTHERS = ['application/json', 'application/graphql-response+json', 'application/*', '*/*'] as const;

/** Whether a client accepts events: only these, also these, or not. */
export function takesEvents(accept: string | undefined): 'only' | 'also' | 'not' {
  if (!(Number(weightOf(accept, EVENT_STREAM)) > 0)) return 'not';
  return OTHERS.some((type) => Number(weightOf(accept, type)) > 0) ? 'also' : 'only';
}

/** @param text a result as JSON */
export function nextEvent(text: string): string {
  return `event: next\ndata: ${text}\n\n`;
}

/** A complete stream with one result. */
export function eventsOfOne(text: string): string {
  return nextEvent(text) + COMPLETE;
}

export interface EventStreamOptions {
  readonly responses: Responses;
  readonly requestId: string;
  readonly observer: StreamObserver;
  readonly logger: FastifyBaseLogger;
  /** Milliseconds that a client may read nothing. */
  readonly unreadTimeoutMs: number;
}

export class EventStream implements LiveConnection {
  readonly #response: ServerResponse;
  readonly #options: EventStreamOptions;
  /** True if the stream ends without `complete`, so that the client reconnects. */
  #isCut = false;

  /** @param response whose headers are set */
  constructor(response: ServerResponse, options: EventStreamOptions) {
    this.#response = response;
    this.#options = options;
  }

  isBlocked(): boolean {
    return this.#response.writableLength > 0;
  }

  /** Resolves when the stream has ended. Never rejects. */
  async serve(): Promise<void> {
    const { responses, observer, unreadTimeoutMs } = this.#options;
    const response = this.#response;
    if (response.destroyed) void responses.return?.();
    response.once('close', () => void responses.return?.());
    // Node cuts a connection without progress for this time; pings are more frequent.
    response.socket?.setTimeout(unreadTimeoutMs);
    observer.observeSubscription(1);
    try {
      await this.#write(COMMENT);
      for await (const text of responses) {
        await this.#write(nextEvent(text));
        observer.observeChangeSent();
      }
      if (!this.#isCut) await this.#write(COMPLETE);
    } catch (error) {
      await this.#fail(error);
    } finally {
      observer.observeSubscription(-1);
      response.end();
    }
  }

  ping(): void {
    if (!this.isBlocked() && !this.#response.writableEnded) this.#response.write(COMMENT);
  }

  forbid(): void {
    const error = unauthenticated('The token or session is no longer valid.');
    this.#cut(toGraphqlError(error));
  }

  goAway(): void {
    this.#cut(null);
  }

  /** @param error the last event; null for none */
  #cut(error: GraphQLFormattedError | null): void {
    if (this.#isCut || this.#response.writableEnded) return;
    this.#isCut = true;
    // A blocked client would not see the error.
    if (this.isBlocked()) this.#response.destroy();
    else if (error !== null) this.#response.write(eventOfError(error));
    void this.#options.responses.return?.();
  }

  async #fail(error: unknown): Promise<void> {
    const { requestId, logger } = this.#options;
    if (this.#isCut) return;
    await this.#write(eventOfError(toLiveError(error, requestId, logger)));
    if (!(error instanceof SlowReaderError)) await this.#write(COMPLETE);
  }

  /** Resolves when the client can take more, or has disconnected. */
  async #write(text: string): Promise<void> {
    const response = this.#response;
    if (response.destroyed || response.writableEnded || response.write(text)) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        response.off('drain', end);
        response.off('close', end);
        resolve();
      };
      response.on('drain', end);
      response.on('close', end);
    });
  }
}

function eventOfError(error: GraphQLFormattedError): string {
  return nextEvent(JSON.stringify({ errors: [error] }));
}
