/** `map-locations mcp` */

import type { Command } from 'commander';

import type { StoreApplication } from '../app/composition/store.ts';
import { quote } from '../domain/text.ts';
import type { Caller } from '../services/caller.ts';
import { complain, say } from './output.ts';
import { CommandError, listenForInterruption, runCommand } from './run.ts';

const TOKEN_VARIABLE = 'MAP_LOCATIONS_TOKEN';

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'Serve MCP to an assistant over stdin and stdout, on the store itself: the maps of --owner or of the ' +
        `token in ${TOKEN_VARIABLE}, or else the published maps. A client of MCP starts it.`,
    )
    .option('--owner <name>', 'act for this owner')
    .action(({ owner }: { owner?: string }) =>
      runCommand(async (application, config) => {
        const { readEnvironment } = await import('../app/config.ts');
        const identify = await identifier(application, owner, readEnvironment()[TOKEN_VARIABLE]);
        const { serveMcp } = await import('../app/composition/mcp.ts');
        const interruption = listenForInterruption();
        try {
          await serveMcp(application, config, {
            identify,
            onUnexpectedError: (error) => {
              const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
              complain('INTERNAL_SERVER_ERROR', 'A call failed:', ...stack.split('\n'));
            },
            onRefused: (error) => say(`Refused a message: ${error.message}`),
            signal: interruption.signal,
          });
        } finally {
          interruption.end();
        }
      }),
    );
}

/** @throws CommandError */
async function identifier(
  { storage, services }: StoreApplication,
  owner: string | undefined,
  token: string | undefined,
): Promise<() => Promise<Caller | null>> {
  if (owner !== undefined && token) {
    throw new CommandError(`Give either --owner or ${TOKEN_VARIABLE}, not both.`);
  }
  if (token) return () => services.tokens.authenticate(token);
  if (owner === undefined) {
    say(`Without --owner and ${TOKEN_VARIABLE}, only published maps can be read.`);
    return () => Promise.resolve(null);
  }
  const found = await storage.findOwnerByName(owner);
  if (found === null) throw new CommandError(`There is no owner ${quote(owner)}.`);
  const { operatorFor } = await import('../services/operator.ts');
  return () => Promise.resolve(operatorFor(found));
}
