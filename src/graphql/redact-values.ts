/**
 * Removes input values from messages of graphql-js and its scalars. An input may contain an API key, and messages are
 * logged and shown. The rest names the argument and what is expected.
 */

import type { GraphQLSchema } from 'graphql';
import { isEnumType } from 'graphql';

interface Rule {
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** Grouped by the graphql-js 16 function that writes the message. */
const RULES: readonly Rule[] = [
  // Apollo's rule, whose message names Apollo and its settings.
  { pattern: /^GraphQL introspection is not allowed.*$/s, replacement: 'Introspection is not allowed.' },
  // V8's message when a parser or rule recurses too deeply. The token limit bounds the depth.
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

/** `Variable "$input" got invalid value … at "input.fields"; why`. The value may contain any text. */
const REFUSED_VARIABLE = /^Variable "\$\w+" got invalid value /;
const PATH_IN_VARIABLE = / at "[\w.[\]]+"$/;

/** @param reason end of the original message: it shows where the value ends */
export function redactValues(message: string, reason: string | undefined): string {
  const start = REFUSED_VARIABLE.exec(message)?.[0];
  if (start === undefined) return applyRules(message);
  if (reason === undefined || !message.endsWith(`; ${reason}`)) return `${start.trimEnd()}.`;
  const path = PATH_IN_VARIABLE.exec(message.slice(0, -`; ${reason}`.length))?.[0] ?? '';
  return `${start.trimEnd()}${path}; ${applyRules(reason)}`;
}

const UNKNOWN_ENUM_VALUE = /The value does not exist in "(\w+)" enum\.$/;

/** Lists the values of the enum that rejected a value. @param message without values */
export function listEnumValues(message: string, schema: GraphQLSchema): string {
  const type = schema.getType(UNKNOWN_ENUM_VALUE.exec(message)?.[1] ?? '');
  if (!isEnumType(type)) return message;
  const names = type.getValues().map(({ name }) => name);
  return message.replace(
    UNKNOWN_ENUM_VALUE,
    `The value does not exist in "$1" enum: it has ${names.join(', ')}.`,
  );
}

/** The end of messages about unknown names. It reveals names, even whole selections, of the schema. */
const SUGGESTION = / Did you mean .*$/s;

export function removeSuggestion(message: string): string {
  return message.replace(SUGGESTION, '');
}

function applyRules(message: string): string {
  return RULES.reduce((text, { pattern, replacement }) => text.replace(pattern, replacement), message);
}
