/** `map-locations member …` */

import type { Command } from 'commander';
import { Option } from 'commander';

import { memberRole } from '../domain/members.ts';
import type { MapRole } from '../domain/role.ts';
import { MAP_ROLES } from '../domain/role.ts';
import { quote } from '../domain/text.ts';
import { formatTable, formatTime, printResult, say } from './output.ts';
import { CommandError, inspectStore, withMap } from './run.ts';

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('List, add and remove the members of a map.');

  member
    .command('list')
    .description('List the members of a map, by the time of joining.')
    .argument('<map>', 'id of the map')
    .action((mapId: string) => listMembers(mapId));

  member
    .command('add')
    .description('Add a member to a map, or give a member another role.')
    .argument('<map>', 'id of the map')
    .argument('<owner>', 'name of the owner; created if there is none of that name')
    .addOption(
      new Option('--role <role>', 'what the member may do on the map')
        .choices(MAP_ROLES)
        .makeOptionMandatory(),
    )
    .action((mapId: string, owner: string, { role }: { role: MapRole }) => addMember(mapId, owner, role));

  member
    .command('remove')
    .description("Remove a member from a map, and revoke the member's tokens and links for it.")
    .argument('<map>', 'id of the map')
    .argument('<owner>', 'name of the owner')
    .action((mapId: string, owner: string) => removeMember(mapId, owner));
}

function listMembers(id: string) {
  return withMap(id, async ({ services, storage }, caller) => {
    const [map = null] = await storage.getMaps([id]);
    if (map === null) return;
    const members = await services.members.listMembers({ caller }, map);
    const shown = members.map(({ name, displayName, role, since }) => ({
      owner: name,
      displayName,
      role,
      since: formatTime(since),
    }));
    const rows = shown.map(({ owner, displayName, role, since }) => [owner, displayName, role, since]);
    printResult(shown, formatTable(['owner', 'display name', 'role', 'since'], rows));
  });
}

function addMember(id: string, ownerName: string, role: MapRole) {
  return withMap(id, async ({ services, storage }, caller, config) => {
    const store = await inspectStore(storage, config, ownerName);
    const { created } = await services.members.addMember({ caller }, id, ownerName, role);
    if (created) store.sayNewOwner();
    say(`${quote(ownerName)} has the role ${role} on the map ${id}.`);
    printResult({ map: id, owner: ownerName, role, ownerCreated: created });
  });
}

function removeMember(id: string, ownerName: string) {
  return withMap(id, async ({ services, storage }, caller) => {
    const owner = await storage.findOwnerByName(ownerName);
    const [map = null] = await storage.getMaps([id]);
    if (owner === null || map === null || memberRole(map.members, owner.id) === null) {
      throw new CommandError(
        `The map ${id} has no member ${quote(ownerName)}; \`map-locations member list ${id}\` shows all.`,
      );
    }
    await services.members.removeMember({ caller }, id, owner.id);
    say(`Removed ${quote(ownerName)} from the map ${id}, and revoked the tokens for it.`);
    printResult({ map: id, owner: ownerName, removed: true });
  });
}
