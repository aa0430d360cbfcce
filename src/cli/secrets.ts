/** `map-locations secrets …` */

import type { Command } from 'commander';

import type { Rotation } from '../services/secrets/rotate-secrets.ts';
import { complain, printResult, say } from './output.ts';
import { CommandError, FAILED, NOT_BEGUN, reportFailure, withApplication } from './run.ts';

export function addSecretsCommand(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('Change the key that API keys and webhook secrets are encrypted with.');

  secrets
    .command('rotate')
    .description(
      'Encrypt API keys and webhook secrets with SECRET_KEY that SECRET_KEY_FALLBACK has encrypted.',
    )
    .addHelpText(
      'after',
      `
Give the new key as SECRET_KEY and the former one as SECRET_KEY_FALLBACK, here and to all servers. They serve meanwhile. A
run that was interrupted has done no harm: run it again. When it is done, SECRET_KEY_FALLBACK can be removed.

Exit status:
  0  SECRET_KEY alone is needed
  1  it failed, or something cannot be decrypted with either; both settings are needed still
  2  nothing was begun: SECRET_KEY is not set`,
    )
    .action(rotate);
}

async function rotate(): Promise<void> {
  const state = { isBegun: false };
  try {
    await withApplication(async ({ storage }, config) => {
      if (config.secretKey === null) {
        throw new CommandError('SECRET_KEY is not set; it is the key to encrypt with.');
      }
      state.isBegun = true;
      const { createSecrets } = await import('../services/secrets/secrets.ts');
      const { rotateSecrets } = await import('../services/secrets/rotate-secrets.ts');
      report(await rotateSecrets(storage, createSecrets(config.secretKey, config.secretKeyFallback)));
    });
  } catch (error) {
    reportFailure(error, state.isBegun ? FAILED : NOT_BEGUN);
  }
}

function report({ changed, unreadable, unreadableWebhooks }: Rotation): void {
  say(`${changed} API keys and webhook secrets were encrypted anew.`);
  if (unreadable.length + unreadableWebhooks.length === 0) {
    say('SECRET_KEY_FALLBACK is needed no longer, once no server has another SECRET_KEY.');
  } else process.exitCode = FAILED;
  const neither = 'can be decrypted neither with SECRET_KEY nor with SECRET_KEY_FALLBACK. Set them anew';
  if (unreadable.length > 0) {
    complain(
      'COMMAND_FAILED',
      `The API keys of ${unreadable.length} maps ${neither} (map-locations map update), and run the command again:`,
      ...unreadable,
    );
  }
  if (unreadableWebhooks.length > 0) {
    complain(
      'COMMAND_FAILED',
      `The secrets of ${unreadableWebhooks.length} webhooks ${neither} (rotateWebhookSecret), and run the command again:`,
      ...unreadableWebhooks,
    );
  }
  printResult({ encrypted: changed, unreadable, unreadableWebhooks }, null);
}
