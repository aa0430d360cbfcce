/** Reads a published map through GraphQL, as everybody sees it. */

import type { FastifyRequest } from 'fastify';
import { parse } from 'graphql';

import { stringifyJson } from '../domain/json-text.ts';
import type { AnswerMemory } from '../graphql/answer-memory.ts';
import type { Executor } from '../graphql/operations/execution.ts';
import { Operation } from '../graphql/operations/operation.ts';
import type { Requests } from './requests.ts';

export interface PublicMapReaderOptions {
  readonly executor: Executor;
  readonly requests: Requests;
  readonly memory: AnswerMemory;
}

/**
 * @param selection of the type Map
 * @param variables their definitions, beside that of `$id`
 * @throws (the reader) what the map's resolver threw, as MAP_NOT_FOUND
 */
export function publicMapReader<Answer>(
  { executor, requests, memory }: PublicMapReaderOptions,
  selection: string,
  { variables = '', maxRows }: { variables?: string; maxRows: number },
): (request: FastifyRequest, values: Readonly<Record<string, unknown>>) => Promise<Answer> {
  const operation = new Operation(
    parse(`query PublicMap($id: ID! ${variables}) { publicMap(id: $id) { ${selection} } }`),
  );
  const limits = { maxRows, maxBytes: Number.POSITIVE_INFINITY, memory };
  return async (request, values) => {
    const context = requests.contextOf(request, limits);
    try {
      const { data, errors } = await executor({ operation, variables: values, context });
      const [error] = errors ?? [];
      if (error !== undefined) throw error.originalError ?? error;
      // A page of locations comes as JSON.
      return (JSON.parse(stringifyJson(data)) as { publicMap: Answer }).publicMap;
    } finally {
      context.allowance.release();
    }
  };
}
