/**
 * Queries that Apollo Server has answered before, so that they need not go through it again: the text is parsed and
 * validated, and what is said about the answer is known. Everything else, and every query that fails, is Apollo's.
 */

import type { HTTPGraphQLResponse } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { getOperationAST, OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';

import { encodeJson } from '../../domain/json-text.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { RequestContext } from '../context.ts';
import type { Executor } from './execution.ts';

/** Characters of the texts that are remembered together. */
const MAX_CHARACTERS = 1024 * 1024;
const NAME = /^[_A-Za-z][_0-9A-Za-z]*$/;
const MEMBERS: ReadonlySet<string> = new Set(['query', 'operationName', 'variables']);

/** A request that holds nothing but a query in the plainest form. */
export interface PlainRequest {
  /** Stands for all that Apollo's part of the answer depends on. */
  readonly key: string;
  readonly operationName: string | null;
  readonly variables: Record<string, unknown>;
}

interface KnownQuery {
  readonly document: DocumentNode;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** @returns null for a request that Apollo has to look at */
export function readPlainRequest(body: unknown, accept: string | undefined): PlainRequest | null {
  if (!isJsonObject(body) || !Object.keys(body).every((name) => MEMBERS.has(name))) return null;
  const { query, operationName = null, variables = null } = body;
  if (typeof query !== 'string' || (operationName !== null && typeof operationName !== 'string')) return null;
  if (variables !== null && !isJsonObject(variables)) return null;
  if (operationName !== null && !NAME.test(operationName)) return null;
  // Neither a header nor a name holds a line break, so that no other request comes to the same key.
  const key = `${accept ?? ''}\n${operationName ?? ''}\n${query}`;
  return { key, operationName, variables: variables ?? {} };
}

export interface KnownAnswer {
  readonly headers: KnownQuery['headers'];
  /** In UTF-8 where it is not a string. */
  readonly body: string | Buffer;
}

export class KnownQueries {
  readonly #executor: Executor;
  /** By a member of the context: Apollo hands on a copy of the context itself. */
  readonly #documents = new WeakMap<RequestContext['loaders'], DocumentNode>();
  readonly #known = new LRUCache<string, KnownQuery>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_known, key) => key.length,
  });

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** @returns null for a query that is not known, or that Apollo has to say what is wrong with */
  async answer(
    { key, operationName, variables }: PlainRequest,
    context: RequestContext,
  ): Promise<KnownAnswer | null> {
    const known = this.#known.get(key);
    if (known === undefined) return null;
    const { data, errors } = await this.#executor({
      document: known.document,
      operationName,
      variables,
      context,
    });
    return errors === undefined ? { headers: known.headers, body: encodeJson({ data }) } : null;
  }

  /** To be told of the document that Apollo executes. */
  noteDocument(context: RequestContext, document: DocumentNode): void {
    this.#documents.set(context.loaders, document);
  }

  /** Learns from what Apollo has answered. */
  learn({ key, operationName }: PlainRequest, context: RequestContext, response: HTTPGraphQLResponse): void {
    const document = this.#documents.get(context.loaders);
    if (document === undefined || (response.status ?? 200) !== 200 || this.#known.has(key)) return;
    // A mutation that failed could not be executed again.
    if (getOperationAST(document, operationName)?.operation !== OperationTypeNode.QUERY) return;
    const headers = [...response.headers].filter(([name]) => name !== 'content-length');
    this.#known.set(key, { document, headers });
  }
}
