/** `map-locations token …` */

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import type { TokenScope, TokenWithOwner } from '../services/tokens/token-service.ts';
import { parseExpiry } from './expiry.ts';
import { formatTable, formatTime, printResult, say } from './output.ts';
import { CommandError, runCommand } from './run.ts';
import { lookAtStore, MAKES_STORE, sayNone } from './store.ts';

interface CreateOptions {
  readonly owner: string;
  readonly name?: string;
  readonly scope: TokenScope;
  readonly map?: string;
  readonly expires?: number;
}

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('Make, list and revoke access tokens.');

  token
    .command('create')
    .description('Make a token and print it, alone, on stdout. It is shown this once.')
    .requiredOption(
      '--owner <name>',
      'whose maps it opens; an owner of that name is made where there is none',
    )
    .option('--name <text>', 'what to call it, to know it again in the list')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(['read', 'write']).default('write'))
    .option('--map <id>', 'the one map that it opens; all of the owner’s otherwise')
    .option(
      '--expires <time>',
      'when it stops working: ISO 8601 with a zone, such as 2030-01-31T12:00:00Z, or a date, which means 00:00 UTC; never otherwise',
      readExpiry,
    )
    .action((options: CreateOptions) => createToken(options));

  token
    .command('list')
    .description('List all tokens by id; the tokens themselves are not kept.')
    .action(listTokens);

  token
    .command('revoke')
    .description('Make a token stop working at its next request.')
    .argument('<token|id>', 'the token itself, or its id in the list')
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
    const store = await lookAtStore(storage, config, owner);
    const { token, record, ownerCreated } = await services.tokens.createToken({
      owner,
      name: name ?? null,
      scope,
      mapId: map ?? null,
      expiresAt: expires ?? null,
    });
    if (ownerCreated) store.sayNewOwner();
    say(
      `Made the token ${record.id} in ${store.name}: owner ${owner}, scope ${scope}, ` +
        `${map === undefined ? 'all maps of the owner' : `map ${map}`}, ` +
        `${expires === undefined ? 'never expires' : `expires ${formatTime(expires)}`}. It is shown this once.`,
    );
    const { name: tokenName, createdAt, expiresAt } = record;
    const times = { created: formatTime(createdAt), expires: timeOrNull(expiresAt) };
    printResult(
      { id: record.id, token, owner, name: tokenName, scope, map: record.mapId, ...times, ownerCreated },
      token,
    );
  }, MAKES_STORE);
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : formatTime(time);
}

function listTokens() {
  return runCommand(async ({ services }, config) => {
    const now = Date.now();
    const tokens = await services.tokens.listTokens();
    if (tokens.length === 0) await sayNone('tokens', config);
    // The members are named one by one, because the record also holds the token's hash.
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
    // The argument may be the secret itself, so no message repeats it.
    if (!(await services.tokens.revokeToken(tokenOrId))) {
      throw new CommandError('There is no such token; `map-locations token list` shows the ids of all.');
    }
    say('The token is revoked; its next request is refused.');
    printResult({ revoked: true });
  });
}
