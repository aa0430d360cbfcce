/** `map-locations token …` */

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import type { TokenScope, TokenWithOwner } from '../services/tokens/token-service.ts';
import { parseExpiry } from './options.ts';
import { formatTable, formatTime, printResult, say } from './output.ts';
import { CommandError, CREATES_STORE, inspectStore, runCommand, sayNone } from './run.ts';

interface CreateOptions {
  readonly owner: string;
  readonly name?: string;
  readonly scope: TokenScope;
  readonly map?: string;
  readonly expires?: number;
}

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('Create, list and revoke access tokens.');

  token
    .command('create')
    .description('Create a token and print it on stdout. It is shown only once.')
    .requiredOption('--owner <name>', 'owner whose maps it opens; created if there is none of that name')
    .option('--name <text>', 'name of the token in the list')
    .addOption(
      new Option('--scope <scope>', 'what the token may do').choices(['read', 'write']).default('write'),
    )
    .option('--map <id>', 'the only map that it opens; all maps of the owner by default')
    .option(
      '--expires <time>',
      'expiry: ISO 8601 with a zone, such as 2030-01-31T12:00:00Z, or a date, which means 00:00 UTC; never by default',
      readExpiry,
    )
    .action((options: CreateOptions) => createToken(options));

  token
    .command('list')
    .description('List all tokens by id; the tokens themselves are not stored.')
    .action(listTokens);

  token
    .command('revoke')
    .description('Revoke a token; its next request is refused.')
    .argument('<token|id>', 'the token, or its id in the list')
    .action((tokenOrId: string) => revokeToken(tokenOrId));
}

function readExpiry(text: string): number {
  const time = parseExpiry(text);
  if (time === null) {
    throw new InvalidArgumentError(
      'It must be an ISO 8601 time with a zone, such as 2030-01-31T12:00:00Z, or a date, such as 2030-01-31.',
    );
  }
  return time;
}

function createToken({ owner, name, scope, map, expires }: CreateOptions) {
  return runCommand(async ({ services, storage }, config) => {
    const store = await inspectStore(storage, config, owner);
    const { token, record, ownerCreated } = await services.tokens.createToken({
      owner,
      name: name ?? null,
      scope,
      mapId: map ?? null,
      expiresAt: expires ?? null,
    });
    if (ownerCreated) store.sayNewOwner();
    say(
      `Created the token ${record.id} in ${store.name}: owner ${owner}, scope ${scope}, ` +
        `${map === undefined ? 'all maps of the owner' : `map ${map}`}, ` +
        `${expires === undefined ? 'never expires' : `expires ${formatTime(expires)}`}. It is shown only once.`,
    );
    const { name: tokenName, createdAt, expiresAt } = record;
    const times = { created: formatTime(createdAt), expires: timeOrNull(expiresAt) };
    printResult(
      { id: record.id, token, owner, name: tokenName, scope, map: record.mapId, ...times, ownerCreated },
      token,
    );
  }, CREATES_STORE);
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : formatTime(time);
}

function listTokens() {
  return runCommand(async ({ services }, config) => {
    const now = Date.now();
    const tokens = await services.tokens.listTokens();
    if (tokens.length === 0) await sayNone('tokens', config);
    // Members are listed one by one because the record also holds the hash of the token.
    const shown = tokens.map((token) => ({
      id: token.id,
      owner: token.ownerName,
      name: token.name,
      scope: token.scope,
      map: token.mapId,
      created: formatTime(token.createdAt),
      expires: timeOrNull(token.expiresAt),
      lastUsed: timeOrNull(token.lastUsedAt),
      state: stateOf(token, now),
    }));
    const rows = shown.map((token) => [
      token.id,
      token.owner,
      token.name ?? '',
      token.scope,
      token.map ?? 'all',
      token.created,
      token.expires ?? 'never',
      token.lastUsed ?? 'never',
      token.state,
    ]);
    const header = ['id', 'owner', 'name', 'scope', 'map', 'created', 'expires', 'last used', 'state'];
    printResult(shown, formatTable(header, rows));
  });
}

function stateOf({ revokedAt, expiresAt }: TokenWithOwner, now: number): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

function revokeToken(tokenOrId: string) {
  return runCommand(async ({ services }) => {
    // The argument may be the secret, so no message repeats it.
    if (!(await services.tokens.revokeToken(tokenOrId))) {
      throw new CommandError('There is no such token; `map-locations token list` shows all ids.');
    }
    say('Revoked the token; its next request is refused.');
    printResult({ revoked: true });
  });
}
