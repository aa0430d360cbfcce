/** `map-locations token …` */

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import type { TokenScope, TokenWithOwner } from '../services/tokens.ts';
import { parseExpiry } from './expiry.ts';
import { formatTable, formatTime, printResult, say } from './output.ts';
import { CommandError, runCommand } from './run.ts';

interface CreateOptions {
  readonly owner: string;
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
    .option('--json', 'print one JSON array')
    .action((options: { json?: true }) => listTokens(options));

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

function createToken({ owner, scope, map, expires }: CreateOptions) {
  return runCommand(async ({ services }) => {
    const { token, record, ownerCreated } = await services.tokens.createToken({
      owner,
      scope,
      mapId: map ?? null,
      expiresAt: expires ?? null,
    });
    if (ownerCreated) say(`Made the owner ${owner}.`);
    say(
      `Made the token ${record.id}: owner ${owner}, scope ${scope}, ` +
        `${map === undefined ? 'all maps of the owner' : `map ${map}`}, ` +
        `${expires === undefined ? 'never expires' : `expires ${formatTime(expires)}`}. It is shown this once.`,
    );
    printResult(token);
  });
}

function listTokens({ json }: { json?: true }) {
  return runCommand(async ({ services }) => {
    const now = Date.now();
    const tokens = await services.tokens.listTokens();
    if (json) {
      // The members are named one by one, because the record also holds the token's hash.
      printResult(
        JSON.stringify(
          tokens.map((token) => ({
            id: token.id,
            owner: token.ownerName,
            scope: token.scope,
            map: token.mapId,
            created: formatTime(token.createdAt),
            expires: token.expiresAt === null ? null : formatTime(token.expiresAt),
            state: stateOf(token, now),
          })),
          null,
          2,
        ),
      );
      return;
    }
    const rows = tokens.map((token) => [
      token.id,
      token.ownerName,
      token.scope,
      token.mapId ?? 'all',
      formatTime(token.createdAt),
      formatTime(token.expiresAt),
      stateOf(token, now),
    ]);
    printResult(formatTable(['id', 'owner', 'scope', 'map', 'created', 'expires', 'state'], rows));
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
  });
}
