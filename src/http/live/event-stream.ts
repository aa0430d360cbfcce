/**
 * GraphQL over server-sent events, in the mode of distinct connections
 * (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md). graphql-sse's own handler keeps whatever a client
 * does not read, so its protocol is written here.
 */

import type { ServerResponse } from 'node:http';

import type { FastifyBaseLogger } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';

import type { Responses } from '../../graphql/context.ts';
import { SlowReaderError } from '../../services/changes/change-service.ts';
import { unauthenticated } from '../../services/caller.ts';
import { weightOf } from '../request/accept.ts';
import { refusalOf } from '../graphql-errors.ts';
import type { LiveConnection } from './connections.ts';
import type { StreamObserver } from './stream-observer.ts';
import { clientErrorOf } from './client-errors.ts';

export const EVENT_STREAM = 'text/event-stream';

const COMPLETE = 'event: complete\ndata: \n\n';
/** Sent at once, so that the client sees the headers, and at intervals. */
const COMMENT = ':\n\n';

const OTHERS = ['application/json', 'application/graphql-response+json', 'application/*', '*/*'] as const;

/** Whether a client takes events: only these, also these, or not. */
export function takesEvents(accept: string | undefined): 'only' | 'also' | 'not' {
  if (!(Number(weightOf(accept, EVENT_STREAM)) > 0)) return 'not';
  return OTHERS.some((type) => Number(weightOf(accept, type)) > 0) ? 'also' : 'only';
}

/** @param text of a result, as JSON */
export function nextEvent(text: string): string {
  return `event: next\ndata: ${text}\n\n`;
}

/** The whole of a stream with one result. */
export function eventsOfOne(text: string): string {
  return nextEvent(text) + COMPLETE;
}

export interface EventStreamOptions {
  readonly responses: Responses;
  readonly requestId: string;
  readonly observer: StreamObserver;
  readonly logger: FastifyBaseLogger;
  /** Milliseconds that a client may take nothing of what is sent. */
  readonly unreadTimeoutMs: number;
}

export class EventStream implements LiveConnection {
  readonly #response: ServerResponse;
  readonly #options: EventStreamOptions;
  /** True where the client is not told `complete`, after which it would not come back. */
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
    // Node cuts the connection on which nothing moves for so long; comments are sent more often.
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
    const gone = unauthenticated('The token is valid no longer.');
    this.#cut(refusalOf(gone));
  }

  goAway(): void {
    this.#cut(null);
  }

  /** @param error with which it ends; null for none */
  #cut(error: GraphQLFormattedError | null): void {
    if (this.#isCut || this.#response.writableEnded) return;
    this.#isCut = true;
    // Who takes nothing would not see it.
    if (this.isBlocked()) this.#response.destroy();
    else if (error !== null) this.#response.write(eventOfError(error));
    void this.#options.responses.return?.();
  }

  async #fail(error: unknown): Promise<void> {
    const { requestId, logger } = this.#options;
    if (this.#isCut) return;
    await this.#write(eventOfError(clientErrorOf(error, requestId, logger)));
    if (!(error instanceof SlowReaderError)) await this.#write(COMPLETE);
  }

  /** Resolves when the client takes more, or has gone. */
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
