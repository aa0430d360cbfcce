/** JSON-RPC over streams, one message a line. Unlike the package's transport, it responds to invalid messages, and to all requests before it closes. */

import type { Readable, Writable } from 'node:stream';

import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import {
  INVALID_REQUEST,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  PARSE_ERROR,
  parseJSONRPCMessage,
  serializeMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from '@modelcontextprotocol/server';

export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onerror?: Transport['onerror'];
  onclose?: Transport['onclose'];
  /** Resolves after the end of the input and the last response, when the output fails, or when the server closes it. */
  readonly closed: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #unanswered = new Set<RequestId>();
  #isClosed = false;
  #onClosed = () => {};
  #onAnswered = () => {};

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    this.closed = new Promise((resolve) => {
      this.#onClosed = resolve;
    });
  }

  async start(): Promise<void> {
    this.#output.once('error', () => void this.close());
    void this.#read();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    // A failure of the output is an event of the stream, too.
    await new Promise<void>((resolve) => {
      this.#output.write(serializeMessage(message), () => resolve());
    });
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.destroy();
    this.#onClosed();
    this.onclose?.();
  }

  async #read(): Promise<void> {
    try {
      for await (const line of linesOf(this.#input)) {
        if (line.length <= STDIO_DEFAULT_MAX_BUFFER_SIZE) this.#receive(line);
        else this.#refuse(INVALID_REQUEST, TOO_LONG);
      }
      if (this.#unanswered.size > 0) await this.#allAnswered();
    } catch (error) {
      if (!this.#isClosed) this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    await this.close();
  }

  #allAnswered(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswered = resolve;
    });
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    const value = parsed(line);
    if (value === undefined) return this.#refuse(PARSE_ERROR, 'The line is not valid JSON.');
    // As over HTTP.
    if (Array.isArray(value)) {
      return this.#refuse(INVALID_REQUEST, 'A line must be one JSON-RPC message, not a batch.');
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      return this.#refuse(INVALID_REQUEST, 'The line is not a JSON-RPC message.');
    }
    if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
    this.onmessage?.(message);
    // A cancelled request has no response.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      this.#settle(message.params?.['requestId'] as RequestId);
    }
  }

  #refuse(code: number, message: string): void {
    this.onerror?.(new Error(message));
    // JSON-RPC 2.0, 5: the id is null if the request cannot be read.
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`);
  }

  #settle(id: RequestId): void {
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#onAnswered();
  }
}

const TOO_LONG = `A message must have at most ${STDIO_DEFAULT_MAX_BUFFER_SIZE} characters.`;

/** Undefined if it is not JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Of a line that is too long, only the first part. @throws Error if the input cannot be read */
async function* linesOf(input: Readable): AsyncGenerator<string, void, undefined> {
  let line = '';
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    const [first = '', ...more] = chunk.split('\n');
    if (line.length <= STDIO_DEFAULT_MAX_BUFFER_SIZE) line += first;
    for (const next of more) {
      yield line;
      line = next;
    }
  }
  yield line;
}
