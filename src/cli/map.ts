/** `map-locations map …` */

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import type { Config } from '../app/config.ts';
import type { FieldInput, FieldType, MapRecord } from '../domain/map.ts';
import { PAGE_LANGUAGES } from '../domain/page-languages.ts';
import { FIELD_TYPES } from '../domain/map.ts';
import { nearestName } from '../domain/nearest-name.ts';
import { readText, SECRET_HELP } from './options.ts';
import { formatTable, formatTime, printResult, say } from './output.ts';
import { CREATES_STORE, inspectStore, runCommand, sayNone, withMap } from './run.ts';

interface CreateOptions {
  readonly owner: string;
  readonly name: string;
  readonly field?: readonly FieldInput[];
  readonly published?: true;
  readonly providerKey?: string;
  readonly geocodingKey?: string;
}

interface UpdateOptions {
  readonly name?: string;
  readonly field?: readonly FieldInput[];
  readonly published?: true;
  readonly unpublished?: true;
  /** False removes it. */
  readonly providerKey?: string | false;
  readonly geocodingKey?: string | false;
  readonly language?: string | false;
  readonly timeZone?: string | false;
}

interface ListOptions {
  readonly owner?: string;
}

/** Suffix of a field's type: its values are not public. */
const HIDDEN = ':hidden';

export function addMapCommands(program: Command): void {
  const map = program
    .command('map')
    .description('Create, list, update, delete and restore maps, on behalf of their owners.');
  addCreate(map);
  addUpdate(map);

  map
    .command('list')
    .description('List all maps, including deleted ones. API keys are never printed.')
    .option('--owner <name>', 'only maps of this owner')
    .action((options: ListOptions) => listMaps(options));

  map
    .command('delete')
    .description('Delete a map. Its locations are kept until the map is restored.')
    .argument('<id>', 'id of the map')
    .action((id: string) =>
      withMap(id, async ({ services }, caller) => {
        await services.maps.deleteMap({ caller }, id);
        say(`Deleted the map ${id}; \`map-locations map restore ${id}\` restores it.`);
        printResult({ id, deleted: true });
      }),
    );

  map
    .command('restore')
    .description('Restore a deleted map.')
    .argument('<id>', 'id of the map')
    .action((id: string) =>
      withMap(id, async ({ services }, caller) => {
        await services.maps.restoreMap({ caller }, id);
        say(`Restored the map ${id}.`);
        printResult({ id, deleted: false });
      }),
    );
}

function addCreate(map: Command): void {
  map
    .command('create')
    .description('Create a map and print its id on stdout.')
    .requiredOption('--owner <name>', 'owner of the map; created if there is none of that name')
    .requiredOption('--name <text>', 'name of the map')
    .option(
      '--field <name:type>',
      `a field definition; repeatable. ${HIDDEN} after the type hides its values from the public. Default: Name:placeName and Address:address`,
      collectField,
    )
    .option('--published', 'publish the map')
    .option('--provider-key <key>', 'API key of the maps provider, to load the map')
    .option('--geocoding-key <key>', 'API key of the geocoding provider, to create locations')
    .addHelpText('after', SECRET_HELP)
    .action((options: CreateOptions) => createMap(options));
}

function addUpdate(map: Command): void {
  map
    .command('update')
    .description('Update a map; without an option, a value stays as it is.')
    .argument('<id>', 'id of the map')
    .option('--name <text>', 'name of the map')
    .option(
      '--field <name:type>',
      'a field definition, as for create; repeatable. Together they replace the existing list',
      collectField,
    )
    .addOption(new Option('--published', 'publish the map').conflicts('unpublished'))
    .addOption(new Option('--unpublished', 'unpublish the map'))
    .option('--provider-key <key>', 'API key of the maps provider')
    .option('--no-provider-key', 'remove the key')
    .option('--geocoding-key <key>', 'API key of the geocoding provider')
    .option('--no-geocoding-key', 'remove the key')
    .option('--language <tag>', `language of the map's page: ${PAGE_LANGUAGES.join(', ')}`)
    .option('--no-language', "use the reader's language")
    .option('--time-zone <name>', 'time zone of opening hours, such as Europe/Berlin')
    .option('--no-time-zone', 'remove the time zone')
    .addHelpText('after', SECRET_HELP)
    .action((id: string, options: UpdateOptions, command: Command) => {
      if (Object.keys(options).length === 0) {
        command.error('error: nothing to change; give at least one option');
      }
      return updateMap(id, options);
    });
}

function collectField(text: string, fields: readonly FieldInput[] = []): FieldInput[] {
  const [definition, isPublic] = text.endsWith(HIDDEN)
    ? [text.slice(0, -HIDDEN.length), false]
    : [text, true];
  const colon = definition.lastIndexOf(':');
  if (colon === -1) throw new InvalidArgumentError('It must be NAME:TYPE, such as Website:website.');
  return [
    ...fields,
    { name: definition.slice(0, colon), type: readType(definition.slice(colon + 1)), isPublic },
  ];
}

function readType(text: string): FieldType {
  const type = FIELD_TYPES.find((known) => known === text);
  if (type !== undefined) return type;
  const near = nearestName(text, FIELD_TYPES);
  const hint = near === null ? '' : ` Did you mean ${near}?`;
  throw new InvalidArgumentError(`Unknown type.${hint} It must be one of ${FIELD_TYPES.join(', ')}.`);
}

function createMap({ owner: ownerName, name, field, published, providerKey, geocodingKey }: CreateOptions) {
  return runCommand(async ({ services, storage }, config) => {
    const { operatorFor } = await import('../services/operator.ts');
    const store = await inspectStore(storage, config, ownerName);
    const input = {
      name,
      fields: field,
      isPublished: published,
      providerMapApiKey: providerKey === undefined ? undefined : readText(providerKey, 'key'),
      geocodingApiKey: geocodingKey === undefined ? undefined : readText(geocodingKey, 'key'),
    };
    const { owner, created } = await services.tokens.findOrCreateOwner(ownerName);
    if (created) store.sayNewOwner();
    const map = await services.maps.createMap({ caller: operatorFor(owner) }, input);
    say(`Created the map ${name} in ${store.name}: owner ${ownerName}.`);
    if (providerKey !== undefined || geocodingKey !== undefined) sayUnencrypted(config);
    printResult({ ...shownMap(map), owner: ownerName, ownerCreated: created }, map.id);
  }, CREATES_STORE);
}

function updateMap(
  id: string,
  { name, field, published, unpublished, providerKey, geocodingKey, language, timeZone }: UpdateOptions,
) {
  return withMap(id, async ({ services }, caller, config) => {
    const map = await services.maps.updateMap({ caller }, id, {
      name,
      fields: field,
      isPublished: published ?? (unpublished ? false : undefined),
      providerMapApiKey: toChange(providerKey),
      geocodingApiKey: toChange(geocodingKey),
      language: language === false ? null : language,
      timeZone: timeZone === false ? null : timeZone,
    });
    say(`Updated the map ${id}.`);
    if (typeof providerKey === 'string' || typeof geocodingKey === 'string') sayUnencrypted(config);
    printResult(shownMap(map));
  });
}

function shownMap({ id, name, isPublished, createdAt }: MapRecord) {
  return { id, name, published: isPublished, created: formatTime(createdAt) };
}

function sayUnencrypted({ secretKey }: Config): void {
  if (secretKey === null) say('The key is stored unencrypted: set SECRET_KEY to encrypt it.');
}

function toChange(key: string | false | undefined): string | null | undefined {
  return typeof key === 'string' ? readText(key, 'key') : key === false ? null : undefined;
}

function listMaps({ owner: ownerName }: ListOptions) {
  return runCommand(async ({ storage }, config) => {
    const { listOwnedMaps } = await import('../services/operator.ts');
    const maps = [];
    for await (const { owner, map, locations } of listOwnedMaps(storage, ownerName ?? null)) {
      maps.push({
        id: map.id,
        owner: owner.name,
        name: map.name,
        locations,
        published: map.isPublished,
        deleted: map.isDeleted,
        created: formatTime(map.createdAt),
      });
    }
    if (maps.length === 0) await sayNone('maps', config);
    const header = ['id', 'owner', 'name', 'locations', 'published', 'deleted', 'created'];
    const rows = maps.map((map) =>
      Object.values(map).map((value) =>
        typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value),
      ),
    );
    printResult(maps, formatTable(header, rows));
  });
}
