import { writeFileSync } from 'node:fs';

import type { StoreApplication } from '../../src/app/composition/store.ts';
import { openStoreApplication } from '../../src/app/composition/store.ts';
import { readConfig } from '../../src/app/config.ts';
import type { MapRecord } from '../../src/domain/map.ts';
import type { NewMap } from '../../src/services/maps/map-service.ts';
import { operatorFor } from '../../src/services/operator.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

const MAP_ID = /^[0-9a-z]{16}$/;

describe('map-locations map', () => {
  let workspace: Workspace;
  /** The same database, open in this process too. */
  let gateway: StoreApplication;
  beforeAll(async () => {
    workspace = createWorkspace();
    gateway = await openStoreApplication(readConfig({ DATABASE_URL: workspace.databaseUrl }));
  });
  afterAll(async () => {
    await gateway.close();
    workspace.remove();
  });

  const create = async (keys: Pick<NewMap, 'providerMapApiKey' | 'geocodingApiKey'> = {}) => {
    const { owner } = await gateway.services.tokens.findOrCreateOwner('me');
    return (await gateway.services.maps.createMap({ caller: operatorFor(owner) }, { name: 'M', ...keys })).id;
  };
  const find = async (id: string): Promise<MapRecord> => {
    const [map] = await gateway.storage.getMaps([id]);
    if (!map) throw new Error(`There is no map ${id}`);
    return map;
  };
  const keysOf = (map: MapRecord) => {
    const caller = operatorFor({ id: map.ownerId, name: '' });
    return (['providerMapApiKey', 'geocodingApiKey'] as const).map((name) =>
      gateway.services.maps.revealKey(caller, map, name),
    );
  };
  const list = async (...args: string[]) => {
    const text = await workspace.get('map', 'list', ...args);
    return { text, rows: text.split('\n').map((line) => line.split('\t')) };
  };

  it('prints only the id on stdout, and reports a new owner', async () => {
    const made = await workspace.run('map', 'create', '--owner', 'new', '--name', 'My map');
    expect(made.code).toBe(0);
    expect(made.stdout.trimEnd()).toMatch(MAP_ID);
    expect(made.stderr).toContain('Created a new owner, new.');
    const again = await workspace.run('map', 'create', '--owner', 'new', '--name', 'My map');
    expect(again.stderr).not.toContain('new owner');
    const map = await find(made.stdout.trimEnd());
    expect(map).toMatchObject({ name: 'My map', isPublished: false, providerMapApiKey: null });
    expect(map.fields).toEqual([
      { name: 'Name', type: 'placeName' },
      { name: 'Address', type: 'address' },
    ]);
  });

  it('splits a field at its last colon', async () => {
    const id = await workspace.get(
      ...['map', 'create', '--owner', 'me', '--name', 'M'],
      ...['--field', 'a:b:placeName', '--field', ' b:address', '--field', 'Web site:website'],
    );
    expect((await find(id)).fields).toEqual([
      { name: 'a:b', type: 'placeName' },
      { name: ' b', type: 'address' },
      { name: 'Web site', type: 'website' },
    ]);
  });

  it('refuses a field with a blank name', async () => {
    for (const name of ['', ' ']) {
      const fields = ['--field', 'N:placeName', '--field', 'A:address', '--field', `${name}:text`];
      const refused = await workspace.run('map', 'create', '--owner', 'me', '--name', 'M', ...fields);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('fields[2].name must be 1 to 256 characters and not blank.');
    }
  });

  it('takes keys from an argument, a file or stdin, and prints none', async () => {
    writeFileSync(workspace.path('key'), 'key-of-file\n');
    const { child, outcome } = workspace.start(
      ...['map', 'create', '--owner', 'keys', '--name', 'K', '--published'],
      ...['--provider-key', '@key', '--geocoding-key', '@-'],
    );
    child.stdin?.end('key-of-stdin');
    const made = await outcome;
    const map = await find(made.stdout.trimEnd());
    expect(keysOf(map)).toEqual(['key-of-file', 'key-of-stdin']);
    const changed = await workspace.run('map', 'update', map.id, '--provider-key', 'literal-key');
    expect(keysOf(await find(map.id))).toEqual(['literal-key', 'key-of-stdin']);
    const { text } = await list();
    const json = await workspace.get('map', 'list', '--json');
    for (const printed of [made.stdout, made.stderr, changed.stdout, changed.stderr, text, json]) {
      expect(printed).not.toMatch(/key-of|literal-key/);
    }
    const missing = await workspace.run('map', 'update', map.id, '--geocoding-key', '@nofile');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toMatch(/^map-locations: The key cannot be read from nofile/);
  });

  it('changes only the named attributes', async () => {
    const id = await create({ providerMapApiKey: 'p', geocodingApiKey: 'g' });
    const changed = await workspace.run('map', 'update', id, '--published', '--no-geocoding-key');
    expect(changed).toMatchObject({ code: 0, stdout: '' });
    expect(await find(id)).toMatchObject({ name: 'M', isPublished: true });
    expect(keysOf(await find(id))).toEqual(['p', null]);
    await workspace.get('map', 'update', id, '--unpublished', '--name', 'N', '--no-provider-key');
    expect(await find(id)).toMatchObject({ name: 'N', isPublished: false, providerMapApiKey: null });
  });

  it('sets the language and the time zone of the map’s page, and removes them', async () => {
    const id = await create();
    await workspace.get('map', 'update', id, '--language', 'PT-br', '--time-zone', 'Europe/Lisbon');
    expect(await find(id)).toMatchObject({ language: 'pt-BR', timeZone: 'Europe/Lisbon' });
    const refused = await workspace.run('map', 'update', id, '--language', 'ru');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('language must be one of en, de, fr');
    expect(await find(id)).toMatchObject({ language: 'pt-BR', timeZone: 'Europe/Lisbon' });
    await workspace.get('map', 'update', id, '--no-language', '--no-time-zone');
    expect(await find(id)).toMatchObject({ language: null, timeZone: null });
  });

  it('refuses an update without changes, and one with contradicting options', async () => {
    const id = await create();
    const nothing = await workspace.run('map', 'update', id);
    expect(nothing).toMatchObject({ code: 2, stdout: '' });
    expect(nothing.stderr).toContain('nothing to change');
    expect(await workspace.run('map', 'update', id, '--published', '--unpublished')).toMatchObject({
      code: 2,
    });
  });

  it('deletes and restores', async () => {
    const id = await create();
    expect(await workspace.run('map', 'delete', id)).toMatchObject({ code: 0, stdout: '' });
    expect((await find(id)).isDeleted).toBe(true);
    const refused = await workspace.run('map', 'update', id, '--name', 'N');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^map-locations: The map is deleted[^\n]+\n$/);
    expect(await workspace.run('map', 'restore', id)).toMatchObject({ code: 0, stdout: '' });
    expect((await find(id)).isDeleted).toBe(false);
  });

  it('names an unknown map, and lists the allowed field types', async () => {
    const outcomes = await Promise.all([
      workspace.run('map', 'delete', 'nope'),
      workspace.run('map', 'restore', '0000000000000000'),
      workspace.run('map', 'create', '--owner', 'me', '--name', 'M', '--field', 'x:url'),
    ]);
    const messages = [
      'There is no map "nope".',
      'There is no map "0000000000000000".',
      'It must be one of text, date',
    ];
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect({ code, stdout }).toEqual({ code: index === 2 ? 2 : 1, stdout: '' });
      expect(stderr).toContain(messages[index]);
      expect(stderr).not.toMatch(/^ +at /m);
    }
    expect(
      await workspace.run('map', 'create', '--owner', 'me', '--name', 'M', '--field', 'x'),
    ).toMatchObject({
      code: 2,
    });
  });

  it('lists the maps of all owners or of one, one per line', async () => {
    const { owner } = await gateway.services.tokens.findOrCreateOwner('list owner');
    const caller = operatorFor(owner);
    // More than one page of the store.
    for (let index = 0; index < 205; index += 1) {
      await gateway.services.maps.createMap({ caller }, { name: `Map\t${index}`, isPublished: index === 0 });
    }
    const { rows } = await list('--owner', 'list owner');
    expect(rows[0]).toEqual(['id', 'owner', 'name', 'locations', 'published', 'deleted', 'created']);
    expect(rows).toHaveLength(206);
    expect(new Set(rows.map(([id]) => id)).size).toBe(206);
    expect(rows[1]?.slice(1, 6)).toEqual(['list owner', String.raw`Map\t0`, '0', 'yes', 'no']);
    const all = await list();
    expect(all.rows.length).toBeGreaterThan(206);
    const json = JSON.parse(
      await workspace.get('map', 'list', '--owner', 'list owner', '--json'),
    ) as unknown[];
    expect(json[1]).toMatchObject({ owner: 'list owner', name: 'Map\t1', locations: 0, published: false });
    const unknown = await workspace.run('map', 'list', '--owner', 'nobody');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('There is no owner "nobody".');
  });
});
