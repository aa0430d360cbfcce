/** What readers say about files, in the catalogues of the console. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { placeholdersOf } from '../../scripts/catalogues.mjs';
import { ServiceError } from '../../src/errors.ts';
import type { Message } from '../../src/transfer/message.ts';
import { problemOf } from '../../src/transfer/message.ts';
import { openImport } from '../../src/transfer/open-import.ts';
import { FileDamage, UnreadableFileError } from '../../src/transfer/text/damage.ts';
import { blobSource } from '../../web/console/import/blob-source.ts';
import { messageText, sentencesText } from '../../web/console/import/import-texts.ts';
import { IMPORT_CASES } from '../support/import-cases.ts';
import type { ImportCase } from '../support/import-cases.ts';
import { catalogueOf } from '../support/page-texts.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName', isPublic: true },
  { name: 'Address', type: 'address', isPublic: true },
] as const;
/** The command line names its options, and some messages have words in English as values. */
const OTHERWISE = [...['addressWithoutColumn', 'exportIsFixed', 'unknownAddressColumn', 'unknownColumn']];
const english = catalogueOf('console', 'en');
const keys = Object.keys(english).filter((key) => key.startsWith('file.'));

/** All that the reader says about a file. */
async function messagesOf({ file, content, fields = FIELDS, options }: ImportCase): Promise<Message[]> {
  const blob = new Blob([typeof content === 'string' ? content : new Uint8Array(content)]);
  const found: Message[] = [];
  try {
    const source = await openImport(blobSource({ name: file, blob }), fields, {
      ...options,
      allowsProblem: true,
    });
    found.push(...(source.problem ?? []));
    try {
      for await (const row of source.rows) {
        const input = source.readRow(row);
        if (input instanceof ServiceError) found.push(problemOf(input));
      }
    } catch (error) {
      if (!(error instanceof FileDamage)) throw error;
      found.push(error.detail);
    }
    found.push(...source.report().notes);
    await source.close();
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    found.push(...error.sentences);
  }
  return found;
}

/** With its parts. */
function withParts(message: Message): Message[] {
  const parts = Object.values(message.values).filter(
    (value): value is Message => typeof value === 'object' && 'text' in value,
  );
  return [message, ...parts.flatMap(withParts)];
}

function keyed(messages: readonly Message[]): (Message & { readonly key: string })[] {
  return messages
    .flatMap(withParts)
    .filter((one): one is Message & { readonly key: string } => one.key !== null)
    .filter(({ key }) => !key.startsWith('option'));
}

describe('the messages of readers', () => {
  const plain = (text: string) => text.replaceAll(/[“”]/g, '"').replaceAll('’', "'");

  it('have a text with their values in the catalogue, in English the same', async () => {
    const messages = keyed((await Promise.all(IMPORT_CASES.map(messagesOf))).flat());
    expect(new Set(messages.map(({ key }) => key)).size).toBeGreaterThan(30);
    const problems = messages.flatMap((message) => {
      const { key, text, values } = message;
      const own = english[`file.${key}`];
      if (own === undefined) return [`${key}: missing`];
      const unknown = placeholdersOf(own).filter((name) => !(name in values));
      if (unknown.length > 0) return [`${key}: no values for ${unknown.join()}`];
      const shown = plain(messageText(message));
      return OTHERWISE.includes(key) || shown === plain(text) ? [] : [`${shown} | ${text}`];
    });
    expect([...new Set(problems)]).toEqual([]);
  });

  it('are all in the catalogue, which has no others', () => {
    const sources = ['src/transfer', 'web/console/import']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
      )
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const said = [...sources.matchAll(/\b(?:message|rowError)\(\s*'(\w+)'/g)].map(([, key = '']) => key);
    expect(said.length).toBeGreaterThan(60);
    expect(said.filter((key) => !key.startsWith('option') && !keys.includes(`file.${key}`))).toEqual([]);
    const unused = keys.filter((key) => !sources.includes(`'${key.slice('file.'.length)}'`));
    expect(unused).toEqual(['file.quoted']);
  });

  it('are shown without advice about options of the command line', () => {
    const sentences = [
      { key: 'pdf', text: 'The file is a PDF.', values: {} },
      { key: 'optionName', text: 'Use --field.', values: {} },
    ];
    expect(sentencesText(sentences)).toBe('The file is a PDF.');
  });

  it('are shown with the advice to update, in the words of the page', () => {
    const advice = { key: 'optionUpsert', text: 'Use --upsert.', values: {} };
    expect(sentencesText([advice])).toBe(
      'If existing locations are updated, the record id becomes the external id.',
    );
  });
});
