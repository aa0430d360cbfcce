/**
 * A plugin of graphql-codegen that writes the types of the pages' texts: the keys of a catalogue in English, each with the
 * names of its placeholders. Thus a wrong key or a missing value is a type error, which JSON's own types cannot tell.
 */
import { readFileSync } from 'node:fs';

import { placeholdersOf } from './catalogues.mjs';

export function plugin(_schema, _documents, { catalogue, name }) {
  const texts = JSON.parse(readFileSync(catalogue, 'utf8'));
  const members = Object.entries(texts).map(([key, text]) => {
    const names = placeholdersOf(text).map((one) => `'${one}'`);
    return `  '${key}': ${names.length === 0 ? 'never' : names.join(' | ')};`;
  });
  return `/** By key, the names of its placeholders. From ${catalogue}. */\nexport interface ${name} {\n${members.join('\n')}\n}\n`;
}
