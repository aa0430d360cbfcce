import { readFileSync } from 'node:fs';

import { FILE_SETTING_NAMES, readConfig, SETTING_NAMES } from '../../src/app/config.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { ERRORS } from '../../src/errors.ts';
import { createOfflineGeocoder } from '../../src/geocoding/offline/offline-geocoder.ts';
import { GEOCODER_NAMES, PROVIDERS } from '../../src/geocoding/providers/providers.ts';

const OFFLINE = {
  name: 'offline',
  attributions: createOfflineGeocoder().attributions?.get('offline') ?? [],
  attributionSetting: null,
};

const API = new URL('../../docs/api.md', import.meta.url);
const GEOCODING = new URL('../../docs/geocoding.md', import.meta.url);
const SECURITY = new URL('../../docs/security.md', import.meta.url);
const SETTINGS = new URL('../../docs/settings.md', import.meta.url);

/**
 * The rows of all Markdown tables under a heading, down to the next heading of its level, by column name.
 *
 * @throws Error if there is no such heading, no table, or a table without one of the columns
 */
function tablesUnder(
  markdown: string,
  heading: string,
  columns: readonly string[],
): Record<string, string>[] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => /^#{1,6} /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start === -1) throw new Error(`There is no heading "${heading}".`);
  const level = lines[start]!.indexOf(' ');
  const rest = lines.slice(start + 1);
  const next = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  const section = rest.slice(0, next === -1 ? undefined : next).join('\n');
  const tables = [...section.matchAll(/^\|.*(?:\n\|.*)*/gm)].map(([table]) => table.split('\n').map(cellsOf));
  if (tables.length === 0) throw new Error(`No table under "${heading}".`);
  return tables.flatMap(([names = [], , ...data]) => {
    const missing = columns.filter((column) => !names.includes(column));
    if (missing.length > 0) throw new Error(`A table under "${heading}" lacks: ${missing.join(', ')}.`);
    return data.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
  });
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
  const rows = () =>
    tablesUnder(readFileSync(API, 'utf8'), 'Errors', ['Code', '/v0 status', 'error', 'When']);

  it('has every code of the registry once, and no other', () => {
    const codes = rows().flatMap(({ Code = '' }) => namesIn(Code));
    expect([...codes].sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it('has the status, number and description of the registry', () => {
    for (const { Code = '', '/v0 status': status = '', error = '', When } of rows()) {
      for (const code of namesIn(Code)) {
        const definition = ERRORS[code as ErrorCode];
        // The text after the number is for readers: a header, an exception.
        expect([code, Number.parseInt(status, 10)]).toEqual([code, definition.status]);
        expect([code, Number.parseInt(error, 10)]).toEqual([code, definition.error]);
        expect([code, When]).toEqual([code, definition.when]);
      }
    }
  });
});

describe('the table of geocoders in docs/geocoding.md', () => {
  const rowsUnder = (heading: string, ...columns: string[]) =>
    tablesUnder(readFileSync(GEOCODING, 'utf8'), heading, ['Provider', ...columns]);
  const rows = () => rowsUnder('Choose a geocoder', 'Requires');
  const GEOCODERS = GEOCODER_NAMES.filter((name) => name !== 'auto').sort();

  it('has every geocoder once, and no other', () => {
    expect(
      rows()
        .flatMap((row) => namesIn(row['Provider'] ?? ''))
        .sort(),
    ).toEqual(GEOCODERS);
  });

  it('has the terms of every geocoder, with a link to what the provider says', () => {
    const terms = rowsUnder('Terms', 'Price', 'May points be stored?', 'Show with your map');
    const names = new Set(terms.flatMap((row) => namesIn(row['Provider'] ?? '')));
    expect([...names].sort()).toEqual(GEOCODERS);
    const own = terms.filter(({ Price }) => Price !== 'your server');
    for (const row of own) expect(Object.values(row).join()).toMatch(/\]\(https:\/\//);
  });

  it('has what must be shown with the points of every geocoder', () => {
    const rows = rowsUnder('Terms', 'Price', 'May points be stored?', 'Show with your map');
    for (const { name, attributions, attributionSetting } of [...PROVIDERS, OFFLINE]) {
      // The operator of a server knows its data.
      if (attributionSetting !== null) continue;
      const row = rows.find(({ Provider = '' }) => namesIn(Provider).includes(name));
      const shown = row?.['Show with your map']?.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1') ?? '';
      for (const { text } of attributions)
        expect([name, shown]).toEqual([name, expect.stringContaining(text)]);
    }
  });

  it('names the settings that a provider needs', () => {
    const needs = new Map(rows().map((row) => [namesIn(row['Provider'] ?? '')[0], row['Requires'] ?? '']));
    for (const { name, keySetting, contactSetting } of PROVIDERS) {
      const settings = [keySetting, contactSetting].filter((setting) => setting !== null);
      expect(namesIn(needs.get(name) ?? '')).toEqual(expect.arrayContaining(settings));
    }
  });
});

describe('the tables of settings in docs/settings.md', () => {
  const rows = () =>
    tablesUnder(readFileSync(SETTINGS, 'utf8'), 'Settings', ['Setting', 'Default', 'Meaning']);

  it('has every setting once, and no other', () => {
    const names = rows().flatMap(({ Setting = '' }) => namesIn(Setting));
    expect([...names].sort()).toEqual([...SETTING_NAMES, ...FILE_SETTING_NAMES].sort());
  });

  it('has each default and a description', () => {
    const unset = /^(|—|-|none|not set|unset|off)$/i;
    for (const { Setting = '', Default = '', Meaning } of rows()) {
      for (const name of namesIn(Setting)) {
        expect([name, Meaning === '']).toEqual([name, false]);
        const text = namesIn(Default)[0] ?? Default;
        const value = unset.test(text) ? '' : text.replaceAll(/(?<=\d),(?=\d{3}\b)/g, '');
        // Setting the documented default, or an empty value if there is none, changes nothing.
        expect([name, value, readConfig({ [name]: value })]).toEqual([name, value, readConfig({})]);
        // A setting with a default must document it.
        if (value === '') expect([name, hasDefault(name)]).toEqual([name, false]);
      }
    }
  });
});

/** All settings but those that are unset by default. */
function hasDefault(name: string): boolean {
  const none = [
    ...['SECRET_KEY', 'SECRET_KEY_FALLBACK', 'CORS_ORIGINS', 'PUBLIC_URL', 'TRUST_PROXY', 'V0_ERROR_STATUS'],
    ...PROVIDERS.flatMap(({ keySetting, urlSetting, contactSetting, nameSetting, attributionSetting }) => [
      keySetting,
      urlSetting,
      contactSetting,
      nameSetting,
      attributionSetting,
    ]),
    ...[
      'TILE_URL',
      'BASEMAP_FILE',
      'TILE_ATTRIBUTION',
      'MEDIA_ORIGINS',
      'TRUSTED_DOCUMENTS',
      'AUDIT_LOG',
      'UPSTREAM_URL',
    ],
    ...['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_JWKS_URL'],
    ...['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_LABEL'],
  ];
  return ![...none, ...FILE_SETTING_NAMES].includes(name);
}

describe('reading tables', () => {
  const markdown = [
    '# Title',
    '## Errors',
    'Words.',
    '',
    '| Code | /v0 status | error | When |',
    '| --- | --- | --- | --- |',
    '| `A`, `B` | 401 + `X` | 1 | a \\| b |',
    '',
    '### More',
    '| Code | error |',
    '|---|---|',
    '| `C` | 2 |',
    '',
    '## Empty',
    '## Other',
    '| Name |',
    '|---|',
    '| x |',
  ].join('\n');

  it('returns cells by column, of all tables of the section', () => {
    const rows = tablesUnder(markdown, 'Errors', ['Code']);
    expect(rows).toEqual([
      { Code: '`A`, `B`', '/v0 status': '401 + `X`', error: '1', When: 'a | b' },
      { Code: '`C`', error: '2' },
    ]);
    expect(namesIn(rows[0]!.Code!)).toEqual(['A', 'B']);
  });

  it('fails without the heading, a table or a column', () => {
    expect(() => tablesUnder(markdown, 'Absent', [])).toThrow(/heading/);
    expect(() => tablesUnder(markdown, 'Empty', [])).toThrow(/No table/);
    expect(() => tablesUnder(markdown, 'Other', ['Value'])).toThrow(/Value/);
  });
});

describe('the table of attacks in docs/security.md', () => {
  it('names tests that exist', () => {
    const rows = tablesUnder(readFileSync(SECURITY, 'utf8'), 'What was tried', ['Attack', 'Result', 'Test']);
    const named = rows.flatMap(({ Test = '' }) => {
      const parts = namesIn(Test);
      // A file, then its tests.
      return parts.flatMap((part, index) => {
        const file = parts.slice(0, index).findLast((one) => one.endsWith('.test.ts'));
        return part.endsWith('.test.ts') ? [] : [[file ?? 'no file', part] as const];
      });
    });
    expect(named.length).toBeGreaterThan(20);
    for (const [file, name] of named) {
      expect([file, readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')]).toEqual([
        file,
        expect.stringContaining(`'${name}'`),
      ]);
    }
  });
});
