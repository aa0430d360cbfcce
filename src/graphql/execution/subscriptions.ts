/** Subscriptions, for requests over a transport that can stream. */

import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createSourceEventStream, execute, Kind, OperationTypeNode, visit } from 'graphql';

import { digestOf } from '../../domain/paging/cursor.ts';
import { stringifyJson } from '../../domain/json/json-text.ts';
import type { Caller } from '../../services/caller.ts';
import type { Responses, Streaming } from '../context.ts';
import type { FormatError } from '../format-error.ts';
import { formatErrors } from '../format-error.ts';
import type { ExecutionRequest, Executor } from './execution.ts';
import { MAX_VARIABLE_ERRORS } from './jit/variables.ts';
import type { Operation } from './operation.ts';
import { refusal } from './input-checks.ts';

const STARTED: ExecutionResult = { data: {} };

/** Adds subscriptions to an executor. Their responses are left in the request's context. */
export function withSubscriptions(
  executor: Executor,
  schema: GraphQLSchema,
  formatError: FormatError,
): Executor {
  const subscribe = createSubscribe(schema, formatError);
  return (request) => {
    const { streaming } = request.context;
    const type = request.operation.typeOf(request.operationName ?? null);
    if (type === OperationTypeNode.SUBSCRIPTION) {
      if (streaming !== null) return subscribe(request, streaming);
      return refuse('Subscriptions require WebSocket, or a request that accepts text/event-stream.');
    }
    if (type === OperationTypeNode.MUTATION && streaming?.isReadOnly === true) {
      return refuse('A GET cannot run a mutation; send a POST.');
    }
    return executor(request);
  };
}

function refuse(message: string): ExecutionResult {
  return { errors: [refusal(message)] };
}

function createSubscribe(schema: GraphQLSchema, formatError: FormatError) {
  const shared = new SharedResponses();
  return async (request: ExecutionRequest, streaming: Streaming): Promise<ExecutionResult> => {
    const { operation, operationName = null, variables = {}, context } = request;
    context.scope.operation = operation.nameOf(operationName);
    const execution = {
      schema,
      document: operation.document,
      operationName,
      variableValues: variables,
      options: { maxCoercionErrors: MAX_VARIABLE_ERRORS },
    };
    const events = await createSourceEventStream({ ...execution, contextValue: context });
    if (!(Symbol.asyncIterator in events)) return events;
    const response = async (event: unknown): Promise<string> => {
      const renewed = streaming.renew();
      renewed.scope.operation = context.scope.operation;
      try {
        const result = await execute({ ...execution, rootValue: event, contextValue: renewed });
        const { data, errors } = await renewed.budget.limit(result);
        return errors === undefined
          ? stringifyJson({ data })
          : stringifyJson({ errors: formatErrors(errors, formatError, renewed.scope), data });
      } finally {
        renewed.budget.release();
      }
    };
    const key = shared.keyOf(operation, operationName, variables, context.scope.caller);
    streaming.responses = new SubscriptionResponses(events as AsyncIterable<object>, (event) =>
      shared.of(event, key, () => response(event)),
    );
    return STARTED;
  };
}

/** Not a generator, which could not be ended while it waits for the next event. */
class SubscriptionResponses implements Responses {
  readonly #events: AsyncIterator<object>;
  readonly #response: (event: object) => Promise<string>;

  constructor(events: AsyncIterable<object>, response: (event: object) => Promise<string>) {
    this.#events = events[Symbol.asyncIterator]();
    this.#response = response;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    const { done = false, value } = (await this.#events.next()) as IteratorResult<object, undefined>;
    return done
      ? { done: true, value: undefined }
      : { done: false, value: await this.#response(value as object) };
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    await this.#events.return?.();
    return { done: true, value: undefined };
  }
}

/** Shares responses: subscribers of the same event often select the same and may see the same. */
class SharedResponses {
  readonly #responses = new WeakMap<object, Map<string, Promise<string>>>();
  readonly #operations = new WeakMap<
    Operation,
    { readonly number: number; readonly variables: readonly string[] }
  >();
  #count = 0;

  /** @param caller equal callers see the same */
  keyOf(
    operation: Operation,
    operationName: string | null,
    variables: Readonly<Record<string, unknown>>,
    caller: Caller | null,
  ): string {
    const { number, variables: names } = this.#known(operation);
    const values = names.map((name) => [name, variables[name] ?? null, Object.hasOwn(variables, name)]);
    const sees = caller === null ? null : [caller.ownerId, caller.scope, caller.mapId];
    return `${number} ${digestOf(operationName, values, sees)}`;
  }

  of(event: object, key: string, response: () => Promise<string>): Promise<string> {
    const responses = this.#responses.get(event) ?? new Map<string, Promise<string>>();
    this.#responses.set(event, responses);
    const known = responses.get(key) ?? response();
    responses.set(key, known);
    return known;
  }

  #known(operation: Operation) {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    this.#count += 1;
    const made = { number: this.#count, variables: variablesOfResponses(operation) };
    this.#operations.set(operation, made);
    return made;
  }
}

/** Path length of a root field's argument: definitions, index, selectionSet, selections, … */
const ROOT_ARGUMENT_DEPTH = 7;

/** Names of the variables that responses depend on. Arguments of root fields only start the subscription. */
function variablesOfResponses({ document }: Operation): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    VariableDefinition: () => false,
    Argument(_node, _key, _parent, path, ancestors) {
      const isOfOperation = ancestors.some(
        (ancestor) => 'kind' in ancestor && ancestor.kind === Kind.OPERATION_DEFINITION,
      );
      return isOfOperation && path.length === ROOT_ARGUMENT_DEPTH && path[5] === 'arguments'
        ? false
        : undefined;
    },
    Variable({ name }) {
      names.add(name.value);
    },
  });
  return [...names].toSorted();
}
