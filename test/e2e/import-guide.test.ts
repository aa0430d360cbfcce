/** The import guide's commands import each file of examples/import with the result it shows. */

import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { blocksOf, readDocument } from '../support/documents.ts';
import { createFolder, killPrograms, PROGRAM, ROOT, runShell } from '../support/program.ts';
import { unlessChanged } from '../support/scope.ts';
import { itUnless } from '../support/skip.ts';

afterAll(killPrograms);

const FOLDER = 'examples/import';

interface ExpectedLocation {
  readonly name: string;
  readonly address: string;
  readonly point: readonly [latitude: string, longitude: string];
  readonly properties: Readonly<Record<string, unknown>>;
}

const at = (
  name: string,
  point: ExpectedLocation['point'],
  address = point.join(', '),
  properties: ExpectedLocation['properties'] = {},
): ExpectedLocation => ({ name, address, point, properties });

const FOUNTAINS = (options: unknown) => [
  at('Fontaine du Marché', ['45.18837', '5.72411'], undefined, {
    description: 'Runs all year.',
    _umap_options: options,
  }),
  at('Fontaine des Tilleuls', ['45.19244', '5.73902']),
  at('Robinet du Stade', ['45.17928', '5.71655']),
];
const PIN = { color: 'DarkBlue', iconClass: 'Drop' };

/** The locations of each file. Addresses without a point get the towns of the offline geocoder. */
const EXPECTED: Readonly<Record<string, readonly ExpectedLocation[]>> = {
  'agile-store-locator.csv': [
    at('Ottica Aurora', ['44.4969', '11.3421'], 'Via delle Rose 118, 40121 Bologna, Italy', {
      categories: 'Eye tests',
    }),
    at('Ottica Aurora Centro', ['44.6463', '10.9254'], 'Corso Grande 142, 41121 Modena, Italy'),
    at('Ottica Aurora Outlet', ['44.8013', '10.3284'], 'Via Lunga 209, 43121 Parma, Italy', {
      is_disabled: '1',
    }),
  ],
  'book-corners.csv': [
    at('Boekenkast De Linde', ['52.09871', '5.1334'], 'Lindelaan 112, 3571 Utrecht, Netherlands', {
      Books: 'about 60',
    }),
    at('Ruilkast "Het Hofje"', ['52.38102', '4.63674'], 'Hofjesstraat 104, 2011 Haarlem, Netherlands'),
    at('Boekenkast Kade', ['52.37354', '4.89941'], 'Kade 209, 1012 Amsterdam, Netherlands'),
    at('Minibieb Delft', ['52.00667', '4.35556'], 'Marktplein 190, 2611 Delft, Netherlands'),
  ],
  'branches.xlsx': [
    at('Backhaus Linde', ['51.33962', '12.37129'], 'Karl-Liebknecht-Straße 152, 04275 Leipzig, Germany', {
      ZIP: '04275',
      Opened: '2016-03-01',
      Seats: '24',
      'Wheelchair access': 'true',
    }),
    at('Backhaus Birke', ['51.05089', '13.73832'], 'Louisenstraße 118, 01099 Dresden, Germany'),
    at('Backhaus Ahorn', ['52.12773', '11.62916'], 'Breiter Weg 217, 39104 Magdeburg, Germany'),
    at('Backhaus Esche', ['50.9787', '11.03283'], 'Anger 121, 99084 Erfurt, Germany'),
  ],
  'my-maps-layer.csv': [
    at('Terrace above the old town', ['47.7966', '13.0432']),
    at('Bench at the river bend', ['47.8031', '13.0508']),
    at('Meadow under the Gaisberg', ['47.8049', '13.1119']),
  ],
  'my-maps.kmz': [
    at('Terrace above the old town', ['47.7966', '13.0432'], undefined, { Folder: 'Viewpoints' }),
    at('Bench at the river bend', ['47.8031', '13.0508']),
    at('Meadow under the Gaisberg', ['47.8049', '13.1119'], undefined, {
      gx_media_links: 'https://example.org/photos/meadow.jpg',
    }),
    at('Bäckerei Morgenrot', ['47.79941', '13.04399'], 'Steingasse 214, 5020 Salzburg, Austria', {
      Folder: 'Bakeries.csv',
      Phone: '+43 662 555014',
    }),
    at('Mühle Hallein', ['47.68333', '13.1'], 'Salzgasse 131, 5400 Hallein, Austria'),
  ],
  'umap.geojson': FOUNTAINS(PIN),
  'umap.kml': FOUNTAINS(JSON.stringify(PIN)),
  'waypoints.gpx': [
    at('Parking', ['46.558214', '7.89163'], undefined, { ele: '2061.4', sym: 'Parking Area' }),
    at('Spring', ['46.563907', '7.902255'], undefined, { cmt: 'Good water, cross the fence' }),
    at('Hut', ['46.57112', '7.914478']),
  ],
  'wp-store-locator.csv': [
    at('Harbor Bikes', ['43.6563', '-70.2512'], '1204 Commercial Street, Portland, ME 04101, United States'),
    at(
      'Harbor Bikes Back Bay',
      ['42.3588', '-71.0621'],
      '88 Tremont Row, Floor 2, Boston, MA 02108, United States',
    ),
    at(
      'Harbor Bikes Elm City',
      ['41.3071', '-72.9266'],
      '970 Chapel Row, New Haven, CT 06510, United States',
    ),
  ],
};

interface Task {
  readonly file: string;
  readonly command: string;
  /** The output in the guide; null where it shows none. */
  readonly shown: string | null;
}

/** The guide's imports that store something. */
function tasksOf(markdown: string): readonly Task[] {
  const blocks = blocksOf(markdown);
  return blocks.flatMap(({ language, code }, index) => {
    const [, file] = new RegExp(`^map-locations import \\$MAP ${FOLDER}/(\\S+)`).exec(code) ?? [];
    if (language !== 'sh' || file === undefined || code.includes('--dry-run')) return [];
    const next = blocks[index + 1];
    return [{ file, command: code, shown: next?.language === 'text' ? next.code : null }];
  });
}

interface Line {
  readonly name: string;
  readonly latLngLiteral: { readonly lat: string; readonly lng: string };
  readonly properties: Readonly<Record<string, unknown>>;
}

describe('the import guide', () => {
  const tasks = tasksOf(readDocument('docs/import-export.md'));
  const cwd = createFolder();
  beforeAll(() => cpSync(join(ROOT, 'examples'), join(cwd, 'examples'), { recursive: true }));

  it('imports every file of examples/import', () => {
    const files = readdirSync(join(ROOT, FOLDER)).filter((name) => name !== 'README.md');
    expect(tasks.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
    expect(Object.keys(EXPECTED).toSorted()).toEqual(files.toSorted());
  });

  const unchanged = unlessChanged(
    ...['docs/import-export.md', 'examples', 'src/cli', 'src/transfer', 'test/e2e/import-guide.test.ts'],
  );
  for (const { file, command, shown } of tasks) {
    itUnless(unchanged, `imports ${file} into a new map as it says`, async () => {
      const script = `set -eu
        map-locations() { '${process.execPath}' '${PROGRAM}' "$@"; }
        MAP=$(map-locations map create --owner alice --name Places 2>/dev/null)
        {
        ${command}
        } >log.txt 2>&1 || { cat log.txt; exit 1; }
        map-locations export $MAP --format ndjson >locations.ndjson
        cat log.txt; echo '---'; cat locations.ndjson`;
      const { code, stdout, stderr } = await runShell(script, {
        cwd,
        env: { DATABASE_URL: 'sqlite:store.db' },
      });
      expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
      const [log = '', lines = ''] = stdout.split('---\n');
      if (shown !== null) expect(log).toContain(shown);
      const imported = lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
      expect(
        imported.map(({ name, properties, latLngLiteral: { lat, lng } }) => ({
          name,
          address: properties.Address,
          point: [lat, lng],
          properties,
        })),
      ).toEqual(
        EXPECTED[file]?.map((location) => ({
          ...location,
          properties: expect.objectContaining(location.properties),
        })),
      );
    });
  }

  it('updates a plugin’s stores instead of storing them twice', async () => {
    const command = tasks.find(({ file }) => file === 'wp-store-locator.csv')?.command ?? '';
    const script = `set -eu
      map-locations() { '${process.execPath}' '${PROGRAM}' "$@"; }
      MAP=$(map-locations map create --owner alice --name Stores 2>/dev/null)
      ${command}
      ${command}
      map-locations export $MAP --format ndjson | wc -l`;
    const { code, stdout, stderr } = await runShell(script, {
      cwd,
      env: { DATABASE_URL: 'sqlite:store.db' },
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/rejected 0\n3\n$/),
      stderr: expect.stringContaining('Stored rows: 3 unchanged.'),
    });
  });
});
