/** Settings that name a file with a secret. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Config } from '../../src/app/config.ts';
import { ConfigError, FILE_SETTING_NAMES, readConfig } from '../../src/app/config.ts';
import { temporaryFolder } from '../storage/sqlite/temporary.ts';

const folder = temporaryFolder();
const KEY = 'k'.repeat(32);

/** @returns the path of a file that has these contents */
function fileOf(contents: string | Uint8Array): string {
  const path = join(folder, `secret-${Math.random()}`);
  writeFileSync(path, contents);
  return path;
}

function mistakesOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as Error;
    // Neither values nor paths, which may be misplaced secrets.
    for (const value of Object.values(environment)) expect(message).not.toContain(value);
    return message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}

const READ: Record<
  (typeof FILE_SETTING_NAMES)[number],
  readonly [(config: Config) => unknown, value: string]
> = {
  DATABASE_URL_FILE: [({ databaseUrl }) => databaseUrl, 'mongodb://user:password@host/maps'],
  GOOGLE_API_KEY_FILE: [({ geocoding }) => geocoding.providers.google.key, 'AIza-key'],
  GEOAPIFY_API_KEY_FILE: [({ geocoding }) => geocoding.providers.geoapify.key, 'geoapify-key'],
  LOCATIONIQ_API_KEY_FILE: [({ geocoding }) => geocoding.providers.locationiq.key, 'pk.locationiq'],
  OPENCAGE_API_KEY_FILE: [({ geocoding }) => geocoding.providers.opencage.key, 'opencage-key'],
  MAPBOX_ACCESS_TOKEN_FILE: [({ geocoding }) => geocoding.providers.mapbox.key, 'pk.token'],
  SECRET_KEY_FILE: [({ secretKey }) => secretKey, KEY],
  SECRET_KEY_FALLBACK_FILE: [({ secretKeyFallback }) => secretKeyFallback, KEY],
  OIDC_CLIENT_SECRET_FILE: [({ oidc }) => oidc?.clientSecret ?? null, 'a secret: +'],
};

const BESIDE: Readonly<Record<string, Record<string, string>>> = {
  SECRET_KEY_FALLBACK_FILE: { SECRET_KEY: 'other '.repeat(6) },
  OIDC_CLIENT_SECRET_FILE: {
    OIDC_ISSUER: 'https://id.example.org',
    OIDC_CLIENT_ID: 'maps',
    PUBLIC_URL: 'https://maps.example.org',
  },
};

describe('a file with a secret', () => {
  it('may be named for each secret setting', () => {
    expect(Object.keys(READ).sort()).toEqual([...FILE_SETTING_NAMES].sort());
    for (const [name, [read, value]] of Object.entries(READ)) {
      const beside = BESIDE[name] ?? {};
      expect([name, read(readConfig({ ...beside, [name]: fileOf(value) }))]).toEqual([name, value]);
    }
  });

  it('may end with line ends, which are removed; blanks are kept', () => {
    for (const [contents, value] of [
      [`${KEY}\n`, KEY],
      [`${KEY}\r\n`, KEY],
      [`${KEY}\n\n`, KEY],
      [` ${KEY} \n`, ` ${KEY} `],
      [`${KEY}\n${KEY}`, `${KEY}\n${KEY}`],
      [`ü${KEY}`, `ü${KEY}`],
    ] as const) {
      expect(readConfig({ SECRET_KEY_FILE: fileOf(contents) }).secretKey).toBe(value);
    }
  });

  it('counts as absent if its setting is empty, and lets the secret’s setting be empty', () => {
    expect(readConfig({ SECRET_KEY_FILE: '', SECRET_KEY: KEY }).secretKey).toBe(KEY);
    expect(readConfig({ SECRET_KEY_FILE: fileOf(KEY), SECRET_KEY: '' }).secretKey).toBe(KEY);
  });

  it('is refused together with the setting itself, naming both', () => {
    expect(mistakesOf({ SECRET_KEY: KEY, SECRET_KEY_FILE: fileOf(`${KEY}${KEY}`) })).toEqual([
      'SECRET_KEY and SECRET_KEY_FILE are both set; set only one of them',
    ]);
  });

  it('is refused if it is missing, a folder, empty or not text', () => {
    const folderPath = join(folder, 'a-folder');
    mkdirSync(folderPath);
    for (const [path, reason] of [
      [join(folder, 'absent'), 'that file cannot be read (ENOENT)'],
      [folderPath, 'that file cannot be read (EISDIR)'],
      [fileOf(''), 'that file is empty'],
      [fileOf('\n'), 'that file is empty'],
      [fileOf(Uint8Array.from({ length: 40 }, () => 0xff)), 'that file is not text (UTF-8)'],
    ] as const) {
      expect(mistakesOf({ SECRET_KEY_FILE: path })).toEqual([
        `SECRET_KEY_FILE must name a file with the value of SECRET_KEY; ${reason}`,
      ]);
    }
    if (process.getuid?.() === 0) return;
    const secret = fileOf(KEY);
    chmodSync(secret, 0);
    expect(mistakesOf({ SECRET_KEY_FILE: secret })).toEqual([expect.stringContaining('(EACCES)')]);
  });

  it('is validated like its setting, and reported with all other errors', () => {
    expect(
      mistakesOf({ SECRET_KEY_FILE: fileOf('short'), DATABASE_URL_FILE: '/absent', PORT: 'many' }),
    ).toEqual([
      expect.stringMatching(/^DATABASE_URL_FILE must name a file/),
      expect.stringMatching(/^PORT must be/),
      'SECRET_KEY must be 32 characters or more',
    ]);
  });

  it('that is invalid makes no other setting invalid', () => {
    const environment = { SECRET_KEY_FILE: '/absent', SECRET_KEY_FALLBACK: KEY };
    expect(mistakesOf(environment)).toEqual([expect.stringMatching(/^SECRET_KEY_FILE must name/)]);
  });

  it('is suggested for a name one letter away', () => {
    expect(readConfig({ SECRET_KEY_FIL: 'x' }).warnings).toEqual([
      'SECRET_KEY_FIL is not a setting and was ignored; did you mean SECRET_KEY_FILE?',
    ]);
  });
});
