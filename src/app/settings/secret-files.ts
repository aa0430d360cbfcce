/** Settings whose values may stand in files, as secrets of Docker, Kubernetes and systemd do. */

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

import { PROVIDERS } from '../../geocoding/providers/providers.ts';

/** Settings that are or may hold a secret. Of each there is another with `_FILE` behind its name, which names a file. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  ...PROVIDERS.flatMap(({ keySetting }) => keySetting ?? []),
  'SECRET_KEY',
  'SECRET_KEY_FALLBACK',
] as const;

export type SecretSetting = (typeof SECRET_SETTINGS)[number];
export type FileSetting = `${SecretSetting}_FILE`;

export const fileSettingOf = (name: SecretSetting): FileSetting => `${name}_FILE`;

export interface SecretFiles {
  readonly values: ReadonlyMap<SecretSetting, string>;
  /** Of settings whose file is wrong: a line that begins with a setting, and repeats neither a value nor a path. */
  readonly mistakes: ReadonlyMap<SecretSetting, string>;
}

/** @param given what is set; an empty value counts as absent */
export function readSecretFiles(given: Readonly<Record<string, string | undefined>>): SecretFiles {
  const values = new Map<SecretSetting, string>();
  const mistakes = new Map<SecretSetting, string>();
  for (const name of SECRET_SETTINGS) {
    const fileSetting = fileSettingOf(name);
    const path = given[fileSetting];
    if (path === undefined || path === '') continue;
    if (given[name] !== undefined && given[name] !== '') {
      mistakes.set(name, `${name} and ${fileSetting} are both set; only one of them can be`);
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

/** Without the ends of lines that editors and `echo` leave behind it. */
function readSecret(path: string): ReadSecret {
  try {
    const bytes = readFileSync(path);
    // Bytes that are no text would be read as others, all as the same one.
    if (!isUtf8(bytes)) return { value: null, mistake: 'that file is not text (UTF-8)' };
    const value = bytes.toString('utf8').replace(/[\r\n]+$/, '');
    return value === '' ? { value: null, mistake: 'that file is empty' } : { value, mistake: null };
  } catch (error) {
    // Node's message would repeat the path, which may be a secret that was put in the wrong setting.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { value: null, mistake: `that file cannot be read (${code})` };
  }
}
