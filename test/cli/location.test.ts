import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readConfig } from '../../src/app/config.ts';
import type { StoreApplication } from '../../src/app/composition/store.ts';
import { openStoreApplication } from '../../src/app/composition/store.ts';
import { operatorFor } from '../../src/services/operator.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

describe('map-locations location', () => {
  let workspace: Workspace;
  /** The same database, open in this process too. */
  let gateway: StoreApplication;
  let mapId: string;
  beforeAll(async () => {
    workspace = createWorkspace();
    gateway = await openStoreApplication(readConfig({ DATABASE_URL: workspace.databaseUrl }));
    const { owner } = await gateway.services.tokens.findOrCreateOwner('me');
    mapId = (await gateway.services.maps.createMap({ caller: operatorFor(owner) }, { name: 'M' })).id;
  });
  afterAll(async () => {
    await gateway.close();
    workspace.remove();
  });

  const create = async (name: string) => {
    const { owner } = await gateway.services.tokens.findOrCreateOwner('me');
    const { location } = await gateway.services.locations.createLocation(
      { caller: operatorFor(owner) },
      mapId,
      {
        fields: { Name: name, Address: 'x' },
        position: { latitude: 1, longitude: 2 },
      },
    );
    return location.id;
  };

  it('update changes the named attributes, and prints the location', async () => {
    const id = await create('Old');
    const path = join(workspace.folder, 'fields.json');
    writeFileSync(path, '{"Name": "New", "Seats": 4}');
    const args = [
      '--fields',
      `@${path}`,
      '--unset',
      'a',
      '--unset',
      'b',
      '--order',
      '7',
      '--external-id',
      'mine',
    ];
    const printed = JSON.parse(
      await workspace.get('location', 'update', mapId, id, ...args, '--if-version', '1'),
    );
    expect(printed).toMatchObject({
      id,
      name: 'New',
      properties: { Name: 'New', Address: 'x', Seats: 4 },
      order: '7',
      externalId: 'mine',
      version: 2,
    });
    const moved = await workspace.get(
      'location',
      'update',
      mapId,
      id,
      '--position',
      '-3.5,4',
      '--no-external-id',
    );
    expect(JSON.parse(moved)).toMatchObject({ latitude: -3.5, longitude: 4, externalId: null, version: 3 });
    const [stored] = await gateway.storage.getLocations(mapId, [id]);
    const { createdAt, updatedAt, ...output } = JSON.parse(moved) as Record<string, unknown>;
    expect(stored).toMatchObject(output);
    expect([createdAt, updatedAt]).toEqual(
      [stored?.createdAt, stored?.updatedAt].map((time) => new Date(time!).toISOString()),
    );
  });

  it('update reports errors and changes nothing', async () => {
    const id = await create('Kept');
    for (const [args, code, message] of [
      [[], 2, /nothing to change/],
      [['--position', '1'], 2, /two numbers/],
      [['--place-id', 'x'], 2, /requires --position/],
      [['--replace', '--unset', 'a'], 2, /--replace requires --fields/],
      [['--if-version', '-1'], 2, /whole number/],
      [['--geocode', '--position', '1,2'], 2, /cannot be used with/],
      [['--fields', '[1]'], 1, /JSON object/],
      [['--fields', '{"Name": " "}'], 1, /name field/],
      [
        ['--fields', '{"Shop id": [1, 9007199254740993]}'],
        1,
        /--fields: \["Shop id"\]\[1\] is an integer beyond/,
      ],
      [['--order', '3', '--if-version', '9'], 1, /version 1/],
    ] as const) {
      const run = await workspace.run('location', 'update', mapId, id, ...args);
      expect([args, run.code]).toEqual([args, code]);
      expect(run.stderr).toMatch(message);
    }
    const [stored] = await gateway.storage.getLocations(mapId, [id]);
    expect(stored).toMatchObject({ name: 'Kept', version: 1 });
  });

  it('move puts locations at the requested position, and prints them with their orders', async () => {
    const [a, b, c] = [await create('A'), await create('B'), await create('C')];
    const orders = new Map<string, string>();
    const move = async (...args: string[]) => {
      const lines = (await workspace.get('location', 'move', mapId, ...args)).trim().split('\n');
      for (const line of lines) orders.set(line.split('\t')[0]!, line.split('\t')[1]!);
      return lines.map((line) => line.split('\t')[0]);
    };
    expect(await move(c, a, '--after', b)).toEqual([c, a]);
    const page = { limit: 100, fromEnd: false, after: null, before: null };
    const own = async () => {
      const list = await gateway.storage.listLocations(mapId, page);
      for (const { id, order } of list) if (orders.has(id)) expect(order).toBe(orders.get(id));
      return list.map(({ id }) => id).filter((id) => [a, b, c].includes(id));
    };
    expect(await own()).toEqual([b, c, a]);
    await move(a, '--to-start');
    await move(b, '--to-end');
    expect(await own()).toEqual([a, c, b]);
  });

  it('move reports errors and moves nothing', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const before = await gateway.storage.getLocations(mapId, [a, b]);
    for (const [args, code, message] of [
      [[a], 2, /no target/],
      [[a, '--to-start', '--to-end'], 2, /cannot be used with/],
      [[a, '--before', b, '--after', b], 2, /cannot be used with/],
      [[a, '--before', a], 1, /before must not be among ids/],
      [[a, a, '--to-end'], 1, /ids\[1\]/],
      [[a, 'none', '--to-end'], 1, /ids\[1\]/],
    ] as const) {
      const run = await workspace.run('location', 'move', mapId, ...args);
      expect([args, run.code]).toEqual([args, code]);
      expect(run.stderr).toMatch(message);
    }
    expect(await gateway.storage.getLocations(mapId, [a, b])).toEqual(before);
  });

  it('delete removes existing locations and prints their ids', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const run = await workspace.run('location', 'delete', mapId, b, 'none', a);
    expect([run.code, run.stdout]).toEqual([0, `${b}\n${a}\n`]);
    expect(run.stderr).toContain('Deleted 2 of 3 locations.');
    expect(await gateway.storage.getLocations(mapId, [a, b])).toEqual([null, null]);
  });
});
