/** Limits on an operation's input: the number of values in its variables, and the size of integers in its document. */

import type { ASTNode, ExecutionResult, GraphQLSchema, GraphQLType } from 'graphql';
import {
  getNullableType,
  getOperationAST,
  GraphQLError,
  isInputObjectType,
  isListType,
  typeFromAST,
} from 'graphql';

import { unsafeIntegerMessage } from '../../domain/json/json-integers.ts';
import { badUserInput } from '../../errors.ts';
import type { ExecutionRequest, Executor } from './execution.ts';
import { MAX_VARIABLE_ERRORS } from './jit/variables.ts';
import { findUnsafeLiteral } from './unsafe-literals.ts';

/**
 * Rejects variables with too many values before they are coerced.
 *
 * @param schema of the clients' documents
 * @param maxValues list items and input object members in all variables. JSON counts as one value: its content is not
 *   coerced
 */
export function limitVariables(executor: Executor, schema: GraphQLSchema, maxValues: number): Executor {
  return (request) => {
    if (!fits(schema, request, new ValueBudget(maxValues))) {
      return {
        errors: [refusal(`The variables have more than ${maxValues} values; send fewer at a time.`)],
      };
    }
    const result = executor(request);
    return result instanceof Promise ? result.then(withOwnLastError) : withOwnLastError(result);
  };
}

/** graphql-js ends a truncated list of errors with one that has no location or code. */
function withOwnLastError(result: ExecutionResult): ExecutionResult {
  const { data, errors = [] } = result;
  if (data !== undefined || errors.length <= MAX_VARIABLE_ERRORS) return result;
  const last = refusal(`The variables have more than ${MAX_VARIABLE_ERRORS} errors; the first are listed.`);
  return { errors: [...errors.slice(0, MAX_VARIABLE_ERRORS), last] };
}

/** Rejects documents that contain an integer which a double cannot hold. */
export function refuseUnsafeLiterals(executor: Executor, schema: GraphQLSchema): Executor {
  return (request) => {
    const { operation } = request;
    if (operation.unsafeLiteral === undefined) {
      operation.unsafeLiteral = findUnsafeLiteral(schema, operation.document);
    }
    if (operation.unsafeLiteral === null) return executor(request);
    const { node, path } = operation.unsafeLiteral;
    return { errors: [refusal(unsafeIntegerMessage(path), node)] };
  };
}

/** The error of an operation that was not executed. */
export function refusal(message: string, node?: ASTNode): GraphQLError {
  return new GraphQLError(message, { nodes: node, originalError: badUserInput(message) });
}

function fits(
  schema: GraphQLSchema,
  { operation, operationName, variables = {} }: ExecutionRequest,
  valueBudget: ValueBudget,
): boolean {
  if (!Object.values(variables).some(isComposite)) return true;
  const definitions = getOperationAST(operation.document, operationName)?.variableDefinitions ?? [];
  return definitions.every(({ variable, type }) =>
    valueBudget.take(variables[variable.name.value], typeFromAST(schema, type)),
  );
}

class ValueBudget {
  #left: number;

  constructor(values: number) {
    this.#left = values;
  }

  /** @returns false if the value exceeds what is left */
  take(value: unknown, type: GraphQLType | undefined): boolean {
    if (!isComposite(value)) return true;
    const expected = getNullableType(type);
    if (isListType(expected)) {
      // A single value is coerced to a list of one.
      const items: readonly unknown[] = Array.isArray(value) ? value : [value];
      this.#left -= items.length;
      return this.#left >= 0 && items.every((item) => this.take(item, expected.ofType));
    }
    if (!isInputObjectType(expected) || Array.isArray(value)) return true;
    const fields = expected.getFields();
    const members = Object.entries(value);
    this.#left -= members.length;
    return this.#left >= 0 && members.every(([name, member]) => this.take(member, fields[name]?.type));
  }
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
