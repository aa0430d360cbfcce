/** `map-locations secrets …` */

import type { Command } from 'commander';

import type { Rotation } from '../services/secrets/secret-rotation.ts';
import { complain, countOf, printResult, say } from './output.ts';
import { CommandError, FAILED, NOT_STARTED, reportFailure, withApplication } from './run.ts';

export function addSecretsCommand(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('Manage the key that encrypts API keys and webhook secrets.');

  secrets
    .command('rotate')
    .description('Re-encrypt API keys and webhook secrets of SECRET_KEY_FALLBACK with SECRET_KEY.')
    .addHelpText(
      'after',
      `
Set SECRET_KEY to the new key and SECRET_KEY_FALLBACK to the old one, here and on all servers, which keep serving. An
interrupted run is safe: run the command again. Afterwards, remove SECRET_KEY_FALLBACK.

Exit status:
  0  only SECRET_KEY is needed
  1  the command failed, or neither key decrypts something; both settings are still needed
  2  not started: SECRET_KEY is not set`,
    )
    .action(rotate);
}

async function rotate(): Promise<void> {
  const state = { isStarted: false };
  try {
    await withApplication(async ({ storage }, config) => {
      if (config.secretKey === null) {
        throw new CommandError('SECRET_KEY is not set; set it to the key to encrypt with.');
      }
      state.isStarted = true;
      const { createSecrets } = await import('../services/secrets/secrets.ts');
      const { rotateSecrets } = await import('../services/secrets/secret-rotation.ts');
      report(await rotateSecrets(storage, createSecrets(config.secretKey, config.secretKeyFallback)));
    });
  } catch (error) {
    reportFailure(error, state.isStarted ? FAILED : NOT_STARTED);
  }
}

function report({ changed, unreadable, unreadableWebhooks }: Rotation): void {
  say(`Re-encrypted ${countOf(changed, 'API key or webhook secret', 'API keys and webhook secrets')}.`);
  if (unreadable.length + unreadableWebhooks.length === 0) {
    say('SECRET_KEY_FALLBACK is no longer needed once all servers have this SECRET_KEY.');
  } else process.exitCode = FAILED;
  const neither = 'cannot be decrypted with SECRET_KEY or SECRET_KEY_FALLBACK. Set them again';
  if (unreadable.length > 0) {
    complain(
      'COMMAND_FAILED',
      `The API keys of ${countOf(unreadable.length, 'map')} ${neither} (map-locations map update), and run the command again:`,
      ...unreadable,
    );
  }
  if (unreadableWebhooks.length > 0) {
    complain(
      'COMMAND_FAILED',
      `The secrets of ${countOf(unreadableWebhooks.length, 'webhook')} ${neither} (rotateWebhookSecret), and run the command again:`,
      ...unreadableWebhooks,
    );
  }
  printResult({ encrypted: changed, unreadable, unreadableWebhooks }, null);
}
