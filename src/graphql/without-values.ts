/**
 * Removes values from the messages of graphql-js and its scalars. An input may hold an API key, and errors are logged
 * and shown. What remains names the argument and what is expected.
 */

import type { GraphQLSchema } from 'graphql';
import { isEnumType } from 'graphql';

interface Rule {
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** In groups, by the function of graphql-js 16 that writes the message. */
const RULES: readonly Rule[] = [
  // Apollo's rule. It names itself, and its settings.
  { pattern: /^GraphQL introspection is not allowed.*$/s, replacement: 'Introspection is not allowed.' },
  // V8's message for a parser or rule that recursed too deeply. The limit on tokens bounds the depth.
  { pattern: /^.*Maximum call stack size exceeded.*$/s, replacement: 'The document nests too deeply.' },
  // getTokenDesc: `Syntax Error: Expected Name, found String "…".`
  { pattern: /^(Syntax Error: .*?\b(?:Int|Float|String|BlockString)) ".*$/s, replacement: '$1.' },
  // The lexer, within a string: `Syntax Error: Invalid Unicode escape sequence: "\u…".`
  { pattern: /^(Syntax Error: Invalid [^:]*): .*$/s, replacement: '$1.' },
  // ValuesOfCorrectTypeRule: `Expected value of type "X", found …; why.`
  { pattern: /^(Expected value of type "[^"]*"), found .*$/s, replacement: '$1.' },
  // getArgumentValues: `Argument "x" has invalid value ….`
  { pattern: /^(Argument "\w+" has invalid value) .*$/s, replacement: '$1.' },
  // Enums: `Value "…" does not exist in "X" enum. Did you mean …?`
  {
    pattern: /Value ".*" does not exist in ("\w+") enum\..*$/s,
    replacement: 'The value does not exist in $1 enum.',
  },
  // Scalars and enums: `X cannot represent non-string value: ….`
  { pattern: /(cannot represent [^:]*\bvalue): .*$/s, replacement: '$1.' },
];

/** `Variable "$input" got invalid value … at "input.fields"; why`. The value may hold anything. */
const REFUSED_VARIABLE = /^Variable "\$\w+" got invalid value /;
const PATH_IN_VARIABLE = / at "[\w.[\]]+"$/;

/** @param reason the end of the message as it was thrown, which tells where the value before it ends */
export function withoutValues(message: string, reason: string | undefined): string {
  const start = REFUSED_VARIABLE.exec(message)?.[0];
  if (start === undefined) return applyRules(message);
  if (reason === undefined || !message.endsWith(`; ${reason}`)) return `${start.trimEnd()}.`;
  const path = PATH_IN_VARIABLE.exec(message.slice(0, -`; ${reason}`.length))?.[0] ?? '';
  return `${start.trimEnd()}${path}; ${applyRules(reason)}`;
}

const UNKNOWN_ENUM_VALUE = /The value does not exist in "(\w+)" enum\.$/;

/** @param message without values. @returns it, with what the enum has where a value of it was refused */
export function withEnumValues(message: string, schema: GraphQLSchema): string {
  const type = schema.getType(UNKNOWN_ENUM_VALUE.exec(message)?.[1] ?? '');
  if (!isEnumType(type)) return message;
  const names = type.getValues().map(({ name }) => name);
  return message.replace(
    UNKNOWN_ENUM_VALUE,
    `The value does not exist in "$1" enum: it has ${names.join(', ')}.`,
  );
}

/** What validation and coercion end with where a name is unknown. It tells names, and whole selections, of the schema. */
const SUGGESTION = / Did you mean .*$/s;

export function withoutSuggestion(message: string): string {
  return message.replace(SUGGESTION, '');
}

function applyRules(message: string): string {
  return RULES.reduce((text, { pattern, replacement }) => text.replace(pattern, replacement), message);
}
