import { readFileSync } from 'node:fs';

import { FILE_SETTING_NAMES, readConfig, SETTING_NAMES } from '../../src/app/config.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { ERRORS } from '../../src/errors.ts';

const API = new URL('../../docs/api.md', import.meta.url);
const SETTINGS = new URL('../../docs/settings.md', import.meta.url);

/**
 * The rows of the first Markdown table under a heading, by the names of its columns.
 *
 * @throws Error where there is no such heading, table or column
 */
function tableUnder(markdown: string, heading: string, columns: readonly string[]): Record<string, string>[] {
  const lines = markdown.split('\n');
  const start = lines.findIndex(
    (line) => /^#{1,6} /.test(line) && line.replace(/^#+ /, '').trim() === heading,
  );
  if (start === -1) throw new Error(`There is no heading "${heading}".`);
  const from = lines.findIndex((line, index) => index > start && line.startsWith('|'));
  const next = lines.findIndex((line, index) => index > start && /^#{1,2} /.test(line));
  if (from === -1 || (next !== -1 && next < from)) throw new Error(`No table under "${heading}".`);
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(from, length === -1 ? undefined : from + length).map(cellsOf);
  const [names = [], , ...data] = rows;
  const missing = columns.filter((column) => !names.includes(column));
  if (missing.length > 0) throw new Error(`The table under "${heading}" lacks: ${missing.join(', ')}.`);
  return data.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Names in backticks. */
function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

describe('the table of errors in docs/api.md', () => {
  const rows = () => tableUnder(readFileSync(API, 'utf8'), 'Errors', ['Code', '/v0 status', 'error', 'When']);

  it('has every code of the registry once, and no other', () => {
    const codes = rows().flatMap(({ Code = '' }) => namesIn(Code));
    expect([...codes].sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it('has the status, the number and the words that the registry has', () => {
    for (const { Code = '', '/v0 status': status = '', error = '', When } of rows()) {
      for (const code of namesIn(Code)) {
        const definition = ERRORS[code as ErrorCode];
        // What follows the number is for people: a header, an exception.
        expect([code, Number.parseInt(status, 10)]).toEqual([code, definition.status]);
        expect([code, Number.parseInt(error, 10)]).toEqual([code, definition.error]);
        expect([code, When]).toEqual([code, definition.when]);
      }
    }
  });
});

describe('the table of settings in docs/settings.md', () => {
  const rows = () =>
    tableUnder(readFileSync(SETTINGS, 'utf8'), 'Settings', ['Setting', 'Default', 'Meaning']);

  it('has every setting once, and no other', () => {
    const names = rows().flatMap(({ Setting = '' }) => namesIn(Setting));
    expect([...names].sort()).toEqual([...SETTING_NAMES, ...FILE_SETTING_NAMES].sort());
  });

  it('has for each the default that it has, and says what it means', () => {
    const unset = /^(|—|-|none|not set|unset|off)$/i;
    for (const { Setting = '', Default = '', Meaning } of rows()) {
      for (const name of namesIn(Setting)) {
        expect([name, Meaning === '']).toEqual([name, false]);
        const text = namesIn(Default)[0] ?? Default;
        const told = unset.test(text) ? '' : text.replaceAll(/(?<=\d),(?=\d{3}\b)/g, '');
        // To set a setting to its default, or to leave it empty where it has none, changes nothing.
        expect([name, told, readConfig({ [name]: told })]).toEqual([name, told, readConfig({})]);
        // Yet one that has a default is to say which.
        if (told === '') expect([name, hasDefault(name)]).toEqual([name, false]);
      }
    }
  });
});

/** All but those whose default is that there is nothing. */
function hasDefault(name: string): boolean {
  const none = [
    ...['SECRET_KEY', 'SECRET_KEY_FALLBACK', 'CORS_ORIGINS', 'PUBLIC_URL', 'TRUST_PROXY', 'V0_ERROR_STATUS'],
    ...['GOOGLE_API_KEY', 'GOOGLE_GEOCODING_URL', 'MAPBOX_ACCESS_TOKEN', 'MAPBOX_URL'],
    ...['NOMINATIM_URL', 'NOMINATIM_EMAIL', 'TILE_URL', 'TILE_ATTRIBUTION', 'MEDIA_ORIGINS'],
    ...['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_JWKS_URL', 'TRUSTED_DOCUMENTS', 'AUDIT_LOG', 'UPSTREAM_URL'],
  ];
  return ![...none, ...FILE_SETTING_NAMES].includes(name);
}

describe('the reading of a table', () => {
  const markdown = [
    '# Title',
    '## Errors',
    'Words.',
    '',
    '| Code | /v0 status | error | When |',
    '| --- | --- | --- | --- |',
    '| `A`, `B` | 401 + `X` | 1 | a \\| b |',
    '',
    '## Empty',
    '## Other',
    '| Name |',
    '|---|',
    '| x |',
  ].join('\n');

  it('gives cells by column, and stops at its end', () => {
    const rows = tableUnder(markdown, 'Errors', ['Code']);
    expect(rows).toEqual([{ Code: '`A`, `B`', '/v0 status': '401 + `X`', error: '1', When: 'a | b' }]);
    expect(namesIn(rows[0]!.Code!)).toEqual(['A', 'B']);
  });

  it('fails where the heading, its table or a column is missing', () => {
    expect(() => tableUnder(markdown, 'Absent', [])).toThrow(/heading/);
    expect(() => tableUnder(markdown, 'Empty', [])).toThrow(/No table/);
    expect(() => tableUnder(markdown, 'Other', ['Value'])).toThrow(/Value/);
  });
});
