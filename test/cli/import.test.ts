import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { readConfig } from '../../src/app/config.ts';
import type { LocationRecord } from '../../src/domain/location.ts';
import type { StoreApplication } from '../../src/app/composition/store.ts';
import { openStoreApplication } from '../../src/app/composition/store.ts';
import type { Caller } from '../../src/services/caller.ts';
import { operatorFor } from '../../src/services/operator.ts';
import { createFakeGeocoder } from '../support/fake-geocoder.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

const ADDRESS = '"Rua Augusta 25, 1100-053 Lisboa, Portugal"';

describe('map-locations import', () => {
  let workspace: Workspace;
  /** The same database, open in this process too. */
  let gateway: StoreApplication;
  let caller: Caller;
  let map: string;

  beforeAll(async () => {
    workspace = createWorkspace();
    const config = readConfig({ DATABASE_URL: workspace.databaseUrl });
    gateway = await openStoreApplication(config, { geocoder: createFakeGeocoder() });
    caller = operatorFor((await gateway.services.tokens.findOrCreateOwner('me')).owner);
  });
  afterAll(async () => {
    await gateway.close();
    workspace.remove();
  });
  beforeEach(async () => {
    map = (await gateway.services.maps.createMap({ caller }, { name: 'M' })).id;
  });
  afterEach(() => {
    for (const name of Object.keys(workspace.environment)) delete workspace.environment[name];
  });

  const write = (name: string, content: string | Buffer) => {
    writeFileSync(workspace.path(name), content);
    return name;
  };
  const stored = (id = map): Promise<readonly LocationRecord[]> =>
    gateway.storage.listLocations(id, { limit: 10_000, fromEnd: false, after: null, before: null });
  const names = async () => (await stored()).map(({ name }) => name);

  it('stores all rows and exits with 0', async () => {
    const file = write('good.csv', `\ufeffName,Address,Note\r\nA,${ADDRESS},007\r\n\r\nA,${ADDRESS},007\r\n`);
    const outcome = await workspace.run('import', map, file);
    expect(outcome).toMatchObject({ code: 0, stdout: 'stored 2, rejected 0\n' });
    expect(outcome.stderr).toMatch(
      /^The columns of good\.csv:\n {2}Name {5}field "Name"\n {2}Address {2}field "Address"\n {2}Note {5}property "Note"\nStored 2 and rejected 0 rows of good\.csv in [0-9.]+ s \(\d+ rows\/s\)\.\n$/,
    );
    const [first, second] = await stored();
    expect(first?.properties).toEqual({
      Name: 'A',
      Address: 'Rua Augusta 25, 1100-053 Lisboa, Portugal',
      Note: '007',
    });
    expect(second).toMatchObject({ name: 'A', order: '2', latitude: first?.latitude });
    expect(existsSync(workspace.path('good.rejected.csv'))).toBe(false);
  });

  it('writes rejected rows next to the input, replacing an earlier file, and exits with 1', async () => {
    const text = `Name,line,Address\nA,1,${ADDRESS}\n"B ""b""\n=b",2,\nC,3,nowhere at all qqqq\nD\nE,5,x,y\nF,6,${ADDRESS}\n`;
    write('museums.rejected.csv', 'an old one');
    const outcome = await workspace.run('import', map, write('museums.csv', text));
    expect(outcome).toMatchObject({ code: 1, stdout: 'stored 2, rejected 4\n' });
    expect(outcome.stderr).toContain('The rejected rows are in museums.rejected.csv');
    expect(await names()).toEqual(['A', 'F']);
    const rejected = readFileSync(workspace.path('museums.rejected.csv'), 'utf8');
    const reasons =
      /^Name,line,Address,rejected line,code,reason\n"B ""b""\n=b",2,,3,BAD_USER_INPUT,".*"\nC,3,nowhere at all qqqq,5,ADDRESS_NOT_FOUND,".*"\nD,,,6,BAD_USER_INPUT,The row has 1 cell; .*\nE,5,x,7,BAD_USER_INPUT,The row has 4 cells; .*,y\n$/;
    expect(rejected).toMatch(reasons);
  });

  it('imports the corrected file of rejected rows without its added columns', async () => {
    await workspace.run('import', map, write('towns.csv', `Name;Address;Note\nA;;"x;y"\nB;;\n`));
    const rejected = readFileSync(workspace.path('towns.rejected.csv'), 'utf8');
    expect(rejected.split('\n')[0]).toBe('Name;Address;Note;line;code;reason');
    write('towns.rejected.csv', rejected.replace('A;;', 'A;Lisboa, Portugal;'));
    const outcome = await workspace.run('import', map, 'towns.rejected.csv');
    expect(outcome).toMatchObject({ code: 1, stdout: 'stored 1, rejected 1\n' });
    expect((await stored())[0]?.properties).toEqual({ Name: 'A', Address: 'Lisboa, Portugal', Note: 'x;y' });
    expect(readFileSync(workspace.path('towns.rejected.rejected.csv'), 'utf8')).toMatch(
      /^Name;Address;Note;line;code;reason\nB;;;3;BAD_USER_INPUT;[^\n]+\n$/,
    );
  });

  it('keeps columns of those names in other files', async () => {
    const file = write('own.csv', `Name,Address,line,code,reason\nA,${ADDRESS},1,2,3\n`);
    expect(await workspace.run('import', map, file)).toMatchObject({ code: 0 });
    expect((await stored())[0]?.properties).toMatchObject({ line: '1', code: '2', reason: '3' });
  });

  const damages: [name: string, damage: Buffer, reason: string][] = [
    ['a quote that is never closed', Buffer.from('broken,"never closed\n'), 'a quote is not closed'],
    ['a stray quote', Buffer.from('bro"ken,x\n'), 'a cell contains a quote'],
    ['bytes that are not text', Buffer.from('br\xff,x\n', 'latin1'), 'not UTF-8'],
    ['NUL bytes', Buffer.alloc(100), 'NUL'],
  ];
  for (const [name, damage, reason] of damages) {
    it(`stores the rows before ${name}, names the line and exits with 1`, async () => {
      const good = Array.from({ length: 250 }, (_, index) => `N${index},${ADDRESS}\n`).join('');
      const after = `After,${ADDRESS}\n`;
      const bytes = Buffer.concat([Buffer.from(`Name,Address\n${good}`), damage, Buffer.from(after)]);
      const outcome = await workspace.run('import', map, write('damaged.csv', bytes));
      expect(outcome).toMatchObject({ code: 1, stdout: 'stored 250, rejected 0\n' });
      expect(outcome.stderr).toContain('map-locations: damaged.csv is damaged from line 252 on: ');
      expect(outcome.stderr).toContain(reason);
      expect(outcome.stderr).not.toMatch(/^ +at /m);
      expect(await names()).toEqual(Array.from({ length: 250 }, (_, index) => `N${index}`));
    });
  }

  it('exits with 2 when it cannot start, and keeps an earlier file of rejected rows', async () => {
    const good = write('fine.csv', `Name,Address\nA,${ADDRESS}\n`);
    const { id: deleted } = await gateway.services.maps.createMap({ caller }, { name: 'gone' });
    await gateway.services.maps.deleteMap({ caller }, deleted);
    write('headless.rejected.csv', 'kept');
    const cases: [args: string[], message: string][] = [
      [[map, 'absent.csv'], 'There is no file absent.csv.'],
      [[map, '.'], '. is a directory'],
      [['nope', good], 'There is no map "nope".'],
      [[deleted, good], `The map ${deleted} is deleted`],
      [[map, write('utf16.csv', Buffer.from('Name,Address\n', 'utf16le'))], 'name that with --encoding'],
      [
        [map, write('bytes.csv', Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 10]))],
        'The archive is damaged or truncated',
      ],
      [[map, write('headless.csv', `A,${ADDRESS}\n`)], `has no column "Name", which is the map's name field`],
      [[map, write('addressless.csv', 'Name,Adress\nA,x\n')], `no column "Address"`],
      [[map, write('empty.csv', '')], 'The file is empty'],
      [[map, write('twice.csv', 'Name,Address,Name\n')], 'the column "Name" twice'],
    ];
    const outcomes = await Promise.all(cases.map(([args]) => workspace.run('import', ...args)));
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(cases[index]?.[1]);
      expect(stderr).toMatch(/^map-locations: [^\n]+\nNothing was imported\.\n$/);
    }
    workspace.environment.PORT = 'none';
    expect(await workspace.run('import', map, good)).toMatchObject({ code: 2, stdout: '' });
    expect(await names()).toEqual([]);
    expect(readFileSync(workspace.path('headless.rejected.csv'), 'utf8')).toBe('kept');
  });

  it('accepts a header without rows', async () => {
    const outcome = await workspace.run('import', map, write('rowless.csv', 'Name,Address\n'));
    expect(outcome).toMatchObject({ code: 0, stdout: 'stored 0, rejected 0\n' });
  });

  it('respects a small BULK_MAX_LOCATIONS', async () => {
    workspace.environment.BULK_MAX_LOCATIONS = '3';
    const file = write('bulk.csv', 'Name,Address\n' + `A,${ADDRESS}\n`.repeat(10));
    expect(await workspace.run('import', map, file)).toMatchObject({
      code: 0,
      stdout: 'stored 10, rejected 0\n',
    });
  });

  it('loses nothing during another import and concurrent writes', async () => {
    const rows = (mark: string) =>
      'Name,Address\n' + Array.from({ length: 1500 }, (_, index) => `${mark}${index},${ADDRESS}\n`).join('');
    const imports = Promise.all([
      workspace.run('import', map, write('a.csv', rows('a'))),
      workspace.run('import', map, write('b.csv', rows('b'))),
    ]);
    const state = { isDone: false };
    const ending = imports.finally(() => (state.isDone = true));
    let written = 0;
    for (; !state.isDone; written += 1) {
      const fields = { Name: `own${written}`, Address: 'somewhere' };
      await gateway.services.locations.createLocation({ caller }, map, { fields });
    }
    for (const outcome of await ending) {
      expect(outcome).toMatchObject({ code: 0, stdout: 'stored 1500, rejected 0\n' });
    }
    const all = await names();
    expect(all).toHaveLength(3000 + written);
    for (const mark of ['a', 'b']) {
      // Each file's rows keep their order, with other rows between them.
      const own = all.filter((name) => new RegExp(`^${mark}\\d+$`).test(name));
      expect(own).toEqual(Array.from({ length: 1500 }, (_, index) => `${mark}${index}`));
    }
  });

  it('prints names from files and arguments without control characters', async () => {
    const sequence = '\u001b[2J\u009b31m\u202e';
    const header = write('hostile.csv', `${sequence}Name,"Ad\ndress"\nA,x\n`);
    const outcomes = await Promise.all([
      workspace.run('import', map, header),
      workspace.run('import', map, `absent${sequence}\n.csv`),
      workspace.run(`import${sequence}`),
    ]);
    for (const { code, stdout, stderr } of outcomes) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      // Unicode category "other", such as control and format characters, except our own line ends.
      expect(stderr).not.toMatch(/[^\n\P{C}]/u);
    }
    expect(outcomes[0].stderr).toContain(String.raw`"Ad\ndress"`);
    expect(outcomes[1].stderr.split('\n')[0]).toBe(
      String.raw`map-locations: There is no file absent\u001b[2J\u009b31m\u202e\n.csv.`,
    );
  });
});
