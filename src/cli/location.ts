/** `map-locations location …` */

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import type { JsonObject } from '../domain/json/json.ts';
import { isJsonObject } from '../domain/json/json.ts';
import { findUnsafeInteger, unsafeIntegerMessage } from '../domain/json/json-integers.ts';
import type { LocationPatch } from '../services/locations/location-patch.ts';
import type { MovePositionInput } from '../services/locations/move-locations.ts';
import { formatTime, printResult, say } from './output.ts';
import { withMap } from './own-map.ts';
import { CommandError } from './run.ts';
import { readText } from './text-argument.ts';

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
    .description('Change, move and delete locations, as the owner of their map would.');

  location
    .command('update')
    .description('Change a location and print it as JSON; what no option names stays as it is.')
    .argument('<map>', 'id of the map')
    .argument('<id>', 'the location')
    .option('--fields <json>', 'new values, merged into the fields that are there; @FILE or @- reads them')
    .option('--replace', 'take --fields in the place of all fields that are there')
    .option('--unset <key>', 'remove a field; repeatable', collect)
    .option('--order <order>', 'the new rank in the list')
    .option('--position <lat,lng>', 'the point itself, in degrees', readPosition)
    .option('--place-id <id>', 'your own identifier of the point; with --position')
    .addOption(new Option('--geocode', 'geocode the address anew').conflicts('position'))
    .option('--external-id <id>', 'your own identifier of the location')
    .option('--no-external-id', 'remove that')
    .option('--if-version <number>', 'change only this version', readWholeNumber)
    .action((mapId: string, id: string, options: UpdateOptions, command: Command) => {
      if (Object.keys(options).length === 0) {
        command.error('error: nothing to change; give at least one option');
      }
      if (options.placeId !== undefined && !options.position) {
        command.error('error: --place-id needs --position');
      }
      if (options.replace && options.fields === undefined) {
        command.error('error: --replace needs --fields');
      }
      return updateLocation(mapId, id, options);
    });

  location
    .command('move')
    .description(
      'Move locations within their list, together and in the order given; print each with its new order.',
    )
    .argument('<map>', 'id of the map')
    .argument('<id...>', 'the locations')
    .addOption(new Option('--before <id>', 'to stand before this location').conflicts(otherPlaces('before')))
    .addOption(new Option('--after <id>', 'to stand after this location').conflicts(otherPlaces('after')))
    .addOption(new Option('--to-start', 'to the start of the list').conflicts(otherPlaces('toStart')))
    .addOption(new Option('--to-end', 'to the end of the list').conflicts(otherPlaces('toEnd')))
    .action((mapId: string, ids: readonly string[], place: MovePositionInput, command: Command) => {
      if (Object.keys(place).length === 0) {
        command.error('error: no place given; give --before, --after, --to-start or --to-end');
      }
      return withMap(mapId, async ({ services }, caller) => {
        const { locations } = await services.locations.moveLocations({ caller }, mapId, ids, place);
        const shown = locations.map(({ id, order }) => ({ id, order }));
        printResult(shown, shown.map(({ id, order }) => `${id}\t${order}`).join('\n'));
      });
    });

  location
    .command('delete')
    .description('Delete locations for good, and print the ids of those that were there.')
    .argument('<map>', 'id of the map')
    .argument('<id...>', 'the locations')
    .action((mapId: string, ids: readonly string[]) =>
      withMap(mapId, async ({ services }, caller) => {
        const { deletedIds } = await services.locations.deleteLocations({ caller }, mapId, ids);
        printResult({ deleted: deletedIds }, deletedIds.length === 0 ? null : deletedIds.join('\n'));
        say(`Deleted ${deletedIds.length} of ${ids.length} locations.`);
      }),
    );
}

const PLACES = ['before', 'after', 'toStart', 'toEnd'];

function otherPlaces(place: string): string[] {
  return PLACES.filter((other) => other !== place);
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
  // The message does not repeat the text.
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
