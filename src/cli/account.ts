/** `map-locations account …` */

import type { Command } from 'commander';

import type { Config } from '../app/config.ts';
import type { IssuedLink } from '../services/accounts/sign-in-links.ts';
import { formatTable, formatTime, printResult, say } from './output.ts';
import { CREATES_STORE, inspectStore, runCommand, sayNone } from './run.ts';

export function addAccountCommands(program: Command): void {
  const account = program
    .command('account')
    .description('Manage the accounts of people who sign in to the console.');

  account
    .command('create')
    .description(
      'Make an account, and print a link on stdout that sets its password. It works once, for 24 hours.',
    )
    .argument('<name>', 'name of the account; an owner of that name gets it')
    .action(createAccount);

  account.command('list').description('List all accounts by name.').action(listAccounts);

  account
    .command('reset')
    .description('End all sessions of an account, and print a link on stdout that sets a new password.')
    .argument('<name>', 'name of the account')
    .action(resetAccount);

  account
    .command('rename')
    .description('Give an account and its owner another name. Its sessions and tokens go on.')
    .argument('<name>', 'name of the account')
    .argument('<new-name>', 'its new name')
    .action(renameAccount);

  account
    .command('disable')
    .description('End all sessions of an account, and refuse new ones.')
    .argument('<name>', 'name of the account')
    .action(disableAccount);

  account
    .command('enable')
    .description('Let the person of a disabled account sign in again.')
    .argument('<name>', 'name of the account')
    .action(enableAccount);
}

function createAccount(name: string) {
  return runCommand(async ({ services, storage }, config) => {
    const store = await inspectStore(storage, config, name);
    const link = await services.accounts.create(name, { withLink: config.passwordSignIn });
    if (link === null) {
      say(`Made an account for ${name} in ${store.name}. PASSWORD_SIGN_IN is 0, so it has no password.`);
      return printResult({ name, link: null, expires: null });
    }
    say(`Made an account for ${name} in ${store.name}. Its person opens this link to choose a password.`);
    return printLink(name, link, config);
  }, CREATES_STORE);
}

function resetAccount(name: string) {
  return runCommand(async ({ services }, config) => {
    const link = await services.accounts.reset(name);
    say(`Ended all sessions of ${name}. Its person opens this link to choose a new password.`);
    await printLink(name, link, config);
  });
}

async function printLink(name: string, link: IssuedLink, { publicUrl, host, port }: Config): Promise<void> {
  const { linkUrlOf, urlOf } = await import('../app/process.ts');
  const url = linkUrlOf(publicUrl ?? urlOf(host, port), link);
  printResult({ name, link: url, expires: formatTime(link.expiresAt) }, url);
}

function listAccounts() {
  return runCommand(async ({ services }, config) => {
    const accounts = await services.accounts.list();
    if (accounts.length === 0) await sayNone('accounts', config);
    const shown = accounts.map(({ name, displayName, hasPassword, isDisabled, createdAt }) => ({
      name,
      displayName,
      hasPassword,
      created: formatTime(createdAt),
      state: isDisabled ? 'disabled' : 'active',
    }));
    const rows = shown.map(({ name, displayName, hasPassword, created, state }) => [
      name,
      displayName,
      hasPassword ? 'yes' : 'no',
      created,
      state,
    ]);
    printResult(shown, formatTable(['name', 'display name', 'password', 'created', 'state'], rows));
  });
}

function renameAccount(name: string, newName: string) {
  return runCommand(async ({ services }) => {
    await services.accounts.rename(name, newName);
    say(`Renamed ${name} to ${newName}, which signs in with that name from now on.`);
    printResult({ name: newName, formerName: name });
  });
}

function disableAccount(name: string) {
  return runCommand(async ({ services }) => {
    await services.accounts.disable(name);
    say(
      `Ended all sessions of ${name}; it can no longer sign in. Its tokens still work: \`map-locations token list\` shows them, and \`map-locations token revoke\` ends them.`,
    );
    printResult({ name, state: 'disabled' });
  });
}

function enableAccount(name: string) {
  return runCommand(async ({ services }) => {
    await services.accounts.enable(name);
    say(`${name} can sign in again.`);
    printResult({ name, state: 'active' });
  });
}
