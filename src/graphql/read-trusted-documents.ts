/** Reads the operator's file of documents, at the start. */

import { readFile } from 'node:fs/promises';

import type { GraphQLSchema } from 'graphql';
import { GraphQLError, NoSchemaIntrospectionCustomRule, parse, specifiedRules, validate } from 'graphql';

import { unsafeIntegerMessage } from '../domain/json/json-integers.ts';
import { isJsonObject } from '../domain/json/json.ts';
import { quote } from '../domain/text.ts';
import { OperatorError } from '../errors.ts';
import { findUnsafeLiteral } from './execution/literals.ts';

export interface ValidityOptions {
  readonly schema: GraphQLSchema;
  /** False where no document may ask for the schema. */
  readonly introspection: boolean;
}

/**
 * @param path a JSON object of id to document
 * @throws OperatorError for a file that cannot be read, and for one with a document that is not valid
 */
export async function readTrustedDocuments(
  path: string,
  options: ValidityOptions,
): Promise<Map<string, string>> {
  const content = readContent(await readText(path));
  const documents = new Map<string, string>();
  for (const [id, text] of Object.entries(content)) {
    if (id === '') throw wrong('an id is empty');
    if (typeof text !== 'string') throw wrong(`${quote(id)} is no text`);
    const fault = faultOf(text, options);
    if (fault !== null) throw wrong(`${quote(id)} is not valid: ${fault.replace(/\.$/, '')}`);
    documents.set(id, text);
  }
  return documents;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw wrong(`the file cannot be read (${code})`);
  }
}

function readContent(text: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw wrong('the file is not JSON');
  }
  if (!isJsonObject(content)) throw wrong('the file must be a JSON object of id to document');
  return content;
}

function faultOf(text: string, { schema, introspection }: ValidityOptions): string | null {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  try {
    const document = parse(text);
    const error = validate(schema, document, rules)[0];
    if (error !== undefined) return error.message;
    const literal = findUnsafeLiteral(schema, document);
    return literal === null ? null : unsafeIntegerMessage(literal.path);
  } catch (error) {
    if (error instanceof GraphQLError) return error.message;
    throw error;
  }
}

function wrong(what: string): OperatorError {
  return new OperatorError(`TRUSTED_DOCUMENTS: ${what}.`);
}
