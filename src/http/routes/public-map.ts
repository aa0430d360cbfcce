/** Reads a published map through GraphQL, in the public view. */

import type { FastifyRequest } from 'fastify';
import { parse } from 'graphql';

import { JsonText } from '../../domain/json/json-text.ts';
import type { ResponseMemory } from '../../graphql/limits/response-memory.ts';
import type { Executor } from '../../graphql/execution/execution.ts';
import { Operation } from '../../graphql/execution/operation.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';

export interface PublicMapReaderOptions {
  readonly executor: Executor;
  readonly requests: RequestLifecycle;
  readonly memory: ResponseMemory;
}

/**
 * @param selection on Map
 * @param variables definitions besides `$id`
 * @throws (the reader) what the resolvers throw, such as MAP_NOT_FOUND
 */
export function publicMapReader<Response>(
  { executor, requests, memory }: PublicMapReaderOptions,
  selection: string,
  { variables = '', maxRows }: { variables?: string; maxRows: number },
): (request: FastifyRequest, values: Readonly<Record<string, unknown>>) => Promise<Response> {
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
      return readNodes((data as { publicMap: Response }).publicMap);
    } finally {
      context.budget.release();
    }
  };
}

/** The executor returns a page's locations as JSON text. */
function readNodes<Response>(map: Response): Response {
  const { locations } = map as { locations?: { readonly nodes?: unknown } };
  if (!(locations?.nodes instanceof JsonText)) return map;
  return { ...map, locations: { ...locations, nodes: JSON.parse(locations.nodes.text) as unknown } };
}
