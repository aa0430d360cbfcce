/** Settings whose values can be read from files, such as the secrets of Docker, Kubernetes and systemd. */

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

import { PROVIDERS } from '../../geocoding/providers/providers.ts';

/** Settings that are or may contain a secret. For each there is a setting with the suffix `_FILE` that names a file. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  ...PROVIDERS.flatMap(({ keySetting }) => keySetting ?? []),
  'SECRET_KEY',
  'SECRET_KEY_FALLBACK',
  'OIDC_CLIENT_SECRET',
] as const;

export type SecretSetting = (typeof SECRET_SETTINGS)[number];
export type FileSetting = `${SecretSetting}_FILE`;

export const fileSettingOf = (name: SecretSetting): FileSetting => `${name}_FILE`;

export interface SecretFiles {
  readonly values: ReadonlyMap<SecretSetting, string>;
  /** By setting: a line about its file, which starts with the setting to change and repeats no value or path. */
  readonly mistakes: ReadonlyMap<SecretSetting, string>;
}

/** @param given the environment; an empty value counts as absent */
export function readSecretFiles(given: Readonly<Record<string, string | undefined>>): SecretFiles {
  const values = new Map<SecretSetting, string>();
  const mistakes = new Map<SecretSetting, string>();
  for (const name of SECRET_SETTINGS) {
    const fileSetting = fileSettingOf(name);
    const path = given[fileSetting];
    if (path === undefined || path === '') continue;
    if (given[name] !== undefined && given[name] !== '') {
      mistakes.set(name, `${name} and ${fileSetting} are both set; set only one of them`);
      continue;
    }
    const { value, mistake } = readSecret(path);
    if (mistake === null) values.set(name, value);
    else mistakes.set(name, `${fileSetting} must name a file with the value of ${name}; ${mistake}`);
  }
  return { values, mistakes };
}

type ReadSecret =
  { readonly value: string; readonly mistake: null } | { readonly value: null; readonly mistake: string };

/** Removes trailing line breaks, which editors and `echo` add. */
function readSecret(path: string): ReadSecret {
  try {
    const bytes = readFileSync(path);
    // Invalid bytes would all become the same replacement character.
    if (!isUtf8(bytes)) return { value: null, mistake: 'that file is not text (UTF-8)' };
    const value = bytes.toString('utf8').replace(/[\r\n]+$/, '');
    return value === '' ? { value: null, mistake: 'that file is empty' } : { value, mistake: null };
  } catch (error) {
    // Without Node's message, which repeats the path: it may be a secret in the wrong setting.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { value: null, mistake: `that file cannot be read (${code})` };
  }
}
