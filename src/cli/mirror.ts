/** `map-locations mirror` */

import type { Command } from 'commander';

interface MirrorCommandOptions {
  readonly from: string;
  readonly token: string;
  readonly map: string;
  readonly owner?: string;
}

export function addMirrorCommand(program: Command): void {
  program
    .command('mirror')
    .description('Copy a map of another service that speaks /v0 into the store, and print its id.')
    .requiredOption('--from <url>', 'address of the service: what stands before /v0')
    .requiredOption('--token <token>', 'a token of that service which may read the map')
    .requiredOption('--map <id>', 'id of the map there')
    .option('--owner <name>', 'whose the map is here; an owner of that name is made where there is none')
    .addHelpText(
      'after',
      `
Run it again to take over what has changed: the map's id here and its locations' ids stay, and only what changed gets a
new version. The map is found again by the address and its id there. Without --owner a new map belongs to the owner
mirror. Its name, its fields and whether it is published follow the other map. API keys are not copied, and no address is
geocoded.

A location's external id is its id there. What is missing in the other list is deleted here, but only after the whole list
was read. Locations without an external id, which were made here, stay. A location that cannot be kept here, such as one
whose id is over 255 characters, is named and left out.

A token on the command line can be seen in the list of processes. Give @FILE instead to have it read from a file, or
@- to have it read from stdin.

Exit status:
    0  the map is as the other one
    1  some locations were left out, or it failed; what was written stays, and nothing was deleted where it failed
    2  nothing was begun
  130  interrupted (by SIGTERM: 143); what was written stays, and nothing was deleted`,
    )
    .action(async ({ from, token, map, owner }: MirrorCommandOptions) => {
      const { mirror } = await import('./mirror-map.ts');
      await mirror({ from, token, mapId: map, owner: owner ?? null });
    });
}
