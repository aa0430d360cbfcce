/** `map-locations secrets …` */

import type { Command } from 'commander';

import { complain, printResult, say } from './output.ts';
import { CommandError, FAILED, NOT_BEGUN, reportFailure, withGateway } from './run.ts';

export function addSecretsCommand(program: Command): void {
  const secrets = program.command('secrets').description('Change the key that API keys are encrypted with.');

  secrets
    .command('rotate')
    .description('Encrypt the maps’ API keys with SECRET_KEY that SECRET_KEY_FALLBACK has encrypted.')
    .addHelpText(
      'after',
      `
Give the new key as SECRET_KEY and the former one as SECRET_KEY_FALLBACK, here and to all servers. They serve meanwhile. A
run that was interrupted has done no harm: run it again. When it is done, SECRET_KEY_FALLBACK can be removed.

Exit status:
  0  SECRET_KEY alone is needed
  1  it failed, or some keys cannot be decrypted with either; both settings are needed still
  2  nothing was begun: SECRET_KEY is not set`,
    )
    .action(rotate);
}

async function rotate(): Promise<void> {
  const state = { isBegun: false };
  try {
    await withGateway(async ({ storage }, config) => {
      if (config.secretKey === null) {
        throw new CommandError('SECRET_KEY is not set; it is the key to encrypt with.');
      }
      state.isBegun = true;
      const { createSecrets } = await import('../services/secrets.ts');
      const { rotateSecrets } = await import('../services/rotate-secrets.ts');
      const rotation = await rotateSecrets(
        storage,
        createSecrets(config.secretKey, config.secretKeyFallback),
      );
      report(rotation.changed, rotation.unreadable);
    });
  } catch (error) {
    reportFailure(error, state.isBegun ? FAILED : NOT_BEGUN);
  }
}

function report(encrypted: number, unreadable: readonly string[]): void {
  say(`${encrypted} API keys were encrypted anew.`);
  if (unreadable.length === 0) {
    say('SECRET_KEY_FALLBACK is needed no longer, once no server has another SECRET_KEY.');
  } else {
    complain(
      'COMMAND_FAILED',
      `The API keys of ${unreadable.length} maps can be decrypted neither with SECRET_KEY nor with SECRET_KEY_FALLBACK. Set them anew (map-locations map update), and run the command again:`,
      ...unreadable,
    );
    process.exitCode = FAILED;
  }
  printResult({ encrypted, unreadable }, null);
}
