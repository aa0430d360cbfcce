/** `map-locations location …` */

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import type { JsonObject } from '../domain/json/json.ts';
import { isJsonObject } from '../domain/json/json.ts';
import { findUnsafeInteger, unsafeIntegerMessage } from '../domain/json/json-integers.ts';
import type { LocationPatch } from '../services/locations/location-patch.ts';
import type { MovePositionInput } from '../services/locations/move-locations.ts';
import { readText } from './options.ts';
import { countOf, formatTime, printResult, say } from './output.ts';
import { CommandError, withMap } from './run.ts';

interface UpdateOptions {
  readonly fields?: string;
  readonly replace?: true;
  readonly unset?: readonly string[];
  readonly order?: string;
  readonly position?: LocationPatch['position'];
  readonly placeId?: string;
  readonly geocode?: true;
  /** False removes it. */
  readonly externalId?: string | false;
  readonly ifVersion?: number;
}

export function addLocationCommands(program: Command): void {
  const location = program
    .command('location')
    .description('Update, move and delete locations, on behalf of the owner of the map.');

  location
    .command('update')
    .description('Update a location and print it as JSON; without an option, a value stays as it is.')
    .argument('<map>', 'id of the map')
    .argument('<id>', 'id of the location')
    .option('--fields <json>', 'new values, merged into the existing fields; @FILE or @- reads them')
    .option('--replace', 'replace all existing fields with --fields')
    .option('--unset <key>', 'remove a field; repeatable', collect)
    .option('--order <order>', 'the new order in the list')
    .option('--position <lat,lng>', 'the coordinates, in degrees', readPosition)
    .option('--place-id <id>', 'your identifier of the point; requires --position')
    .addOption(new Option('--geocode', 'geocode the address again').conflicts('position'))
    .option('--external-id <id>', 'your identifier of the location')
    .option('--no-external-id', 'remove the external id')
    .option('--if-version <number>', 'update only this version', readWholeNumber)
    .action((mapId: string, id: string, options: UpdateOptions, command: Command) => {
      if (Object.keys(options).length === 0) {
        command.error('error: nothing to change; give at least one option');
      }
      if (options.placeId !== undefined && !options.position) {
        command.error('error: --place-id requires --position');
      }
      if (options.replace && options.fields === undefined) {
        command.error('error: --replace requires --fields');
      }
      return updateLocation(mapId, id, options);
    });

  location
    .command('move')
    .description(
      'Move locations within the list, together and in the given order; print each with its new order.',
    )
    .argument('<map>', 'id of the map')
    .argument('<id...>', 'ids of the locations')
    .addOption(new Option('--before <id>', 'move before this location').conflicts(otherTargets('before')))
    .addOption(new Option('--after <id>', 'move after this location').conflicts(otherTargets('after')))
    .addOption(new Option('--to-start', 'move to the start of the list').conflicts(otherTargets('toStart')))
    .addOption(new Option('--to-end', 'move to the end of the list').conflicts(otherTargets('toEnd')))
    .action((mapId: string, ids: readonly string[], target: MovePositionInput, command: Command) => {
      if (Object.keys(target).length === 0) {
        command.error('error: no target; give --before, --after, --to-start or --to-end');
      }
      return withMap(mapId, async ({ services }, caller) => {
        const { locations } = await services.locations.moveLocations({ caller }, mapId, ids, target);
        const shown = locations.map(({ id, order }) => ({ id, order }));
        printResult(shown, shown.map(({ id, order }) => `${id}\t${order}`).join('\n'));
      });
    });

  location
    .command('delete')
    .description(
      'Delete locations, and print the ids of those that existed. They stay in the trash for a while.',
    )
    .argument('<map>', 'id of the map')
    .argument('<id...>', 'ids of the locations')
    .action((mapId: string, ids: readonly string[]) =>
      withMap(mapId, async ({ services }, caller) => {
        const { deletedIds } = await services.locations.deleteLocations({ caller }, mapId, ids);
        printResult({ deleted: deletedIds }, deletedIds.length === 0 ? null : deletedIds.join('\n'));
        say(`Deleted ${deletedIds.length} of ${countOf(ids.length, 'location')}.`);
      }),
    );
}

const MOVE_TARGETS = ['before', 'after', 'toStart', 'toEnd'];

function otherTargets(target: string): string[] {
  return MOVE_TARGETS.filter((other) => other !== target);
}

function updateLocation(mapId: string, id: string, options: UpdateOptions) {
  const { fields, replace, unset, order, position, placeId, geocode, externalId, ifVersion } = options;
  return withMap(mapId, async ({ services }, caller) => {
    const { location } = await services.locations.updateLocation({ caller }, mapId, id, {
      fields: fields === undefined ? undefined : readFields(fields),
      fieldsMode: replace ? 'replace' : 'merge',
      unset,
      order,
      position: geocode ? null : position && { ...position, placeId },
      externalId: externalId === false ? null : externalId,
      ifVersion,
    });
    const { orderKey: _orderKey, sequence: _sequence, createdAt, updatedAt, ...more } = location;
    const shown = { ...more, createdAt: formatTime(createdAt), updatedAt: formatTime(updatedAt) };
    printResult(shown, JSON.stringify(shown, null, 2));
  });
}

function readFields(given: string): JsonObject {
  const text = readText(given, '--fields');
  const fields = parseOrNothing(text);
  // The message does not repeat the text, which may hold private data.
  if (!isJsonObject(fields)) throw new CommandError('--fields must be a JSON object.');
  const path = findUnsafeInteger(text);
  if (path !== null) throw new CommandError(`--fields: ${unsafeIntegerMessage(path)}`);
  return fields;
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function collect(key: string, keys: readonly string[] = []): readonly string[] {
  return [...keys, key];
}

function readPosition(text: string) {
  const [latitude, longitude, ...more] = text
    .split(',')
    .map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (
    latitude === undefined ||
    longitude === undefined ||
    more.length > 0 ||
    Number.isNaN(latitude + longitude)
  ) {
    throw new InvalidArgumentError('It must be two numbers, such as 48.8566,2.3522.');
  }
  return { latitude, longitude };
}

function readWholeNumber(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
