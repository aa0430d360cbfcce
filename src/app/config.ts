/** Reads the settings: the only module that reads the environment. Reports all mistakes at once. */

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

import { isOneLetterAway } from '../domain/nearest-name.ts';
import { OperatorError } from '../errors.ts';
import { CHECKS, SERVING_CHECKS, WARNINGS } from './settings/checks.ts';
import type { Settings } from './settings/schema.ts';
import { SCHEMA } from './settings/schema.ts';
import { fileSettingOf, readSecretFiles, SECRET_SETTINGS } from './settings/secret-files.ts';
import type { Config } from './settings/to-config.ts';
import { toConfig } from './settings/to-config.ts';

export { isHttpAddress } from './settings/kinds.ts';
export type { Settings } from './settings/schema.ts';
export type { Config, OidcConfig } from './settings/to-config.ts';

export class ConfigError extends OperatorError {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names of all settings. A test compares them with docs/settings.md. */
export const SETTING_NAMES = Object.keys(SCHEMA.shape) as readonly (keyof Settings)[];
/** Names of settings that name a file with the value of another setting. */
export const FILE_SETTING_NAMES = SECRET_SETTINGS.map(fileSettingOf);

/** The environment of the process, which overrides `.env` in the current directory. */
export function readEnvironment(): Environment {
  return { ...readEnvFile('.env'), ...process.env };
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new ConfigError(`${path} cannot be read: ${String(error)}`);
  }
}

/**
 * Reads and checks the settings. An empty value counts as absent.
 *
 * @throws ConfigError that lists every mistake, one per line, without values, which may be secrets
 */
export function readConfig(environment: Environment = readEnvironment()): Config {
  const { settings, mistakes } = readSettings(environment);
  return configOf(settings, mistakes, environment);
}

/** Like {@link readConfig}, with the checks that only matter to a server. */
export async function readServingConfig(environment: Environment = readEnvironment()): Promise<Config> {
  const { settings, mistakes, isRight } = readSettings(environment);
  const checks = SERVING_CHECKS.filter(({ of }) => of.every(isRight));
  const found = await Promise.all(checks.map(({ find }) => find(settings)));
  return configOf(settings, [...mistakes, ...found.filter(isPresent)], environment);
}

/** Parses the settings, and lists all mistakes, one line each. An invalid setting gets its default. */
function readSettings(environment: Environment) {
  const files = readSecretFiles(environment);
  const given: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(
      SETTING_NAMES.map((name) => [name, environment[name]] as const).filter(([, value]) => value !== ''),
    ),
    ...Object.fromEntries(files.values),
  };
  // Without JIT: compiling the schema takes longer than using it once.
  const result = SCHEMA.safeParse(given, { jitless: true });
  const issues = result.error?.issues ?? [];
  const wrong = new Set<unknown>([...files.mistakes.keys(), ...issues.map(({ path }) => path[0])]);
  const isRight = (name: keyof Settings) => !wrong.has(name);
  const right = Object.fromEntries(SETTING_NAMES.filter(isRight).map((name) => [name, given[name]]));
  const settings = result.data ?? SCHEMA.parse(right);
  const checks = CHECKS.filter(({ of }) => of.every(isRight));
  const mistakes = [
    ...files.mistakes.values(),
    ...issues.map(({ path, message }) => `${path.join('.')} ${message}`),
    ...checks.map(({ find }) => find(settings)).filter(isPresent),
  ];
  return { settings, mistakes, isRight };
}

function configOf(settings: Settings, mistakes: readonly string[], environment: Environment): Config {
  const warnings = [
    ...findMisspelt(environment),
    ...WARNINGS.map(({ find }) => find(settings)).filter(isPresent),
  ];
  if (mistakes.length === 0) return toConfig(settings, warnings, environment['NODE_ENV'] === 'production');
  throw new ConfigError(['Invalid settings:', ...mistakes.map((line) => `  ${line}`)].join('\n'));
}

function isPresent<T>(value: T | null): value is T {
  return value !== null;
}

/** Warnings about names that are one letter away from the name of a setting. */
function findMisspelt(environment: Environment): readonly string[] {
  const names: readonly string[] = [...SETTING_NAMES, ...FILE_SETTING_NAMES];
  return Object.keys(environment).flatMap((name) => {
    if (names.includes(name)) return [];
    const meant = names.find((setting) => isOneLetterAway(name, setting));
    return meant === undefined ? [] : [`${name} is not a setting and was ignored; did you mean ${meant}?`];
  });
}
