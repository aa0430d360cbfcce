/** Each rule of .dependency-cruiser.mjs finds its violation in sources with one fault each. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { LAYERS } from '../../.dependency-cruiser.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files with their imports. */
const SOURCES: Readonly<Record<string, string>> = {
  'src/errors.ts': '',
  'src/domain/map.ts': "import '../errors.ts'; import type { S } from '../services/maps/map-service.ts';",
  'src/domain/file.ts': "import 'node:fs';",
  'src/services/maps/map-service.ts':
    "import '../../storage/storage.ts'; import '../../storage/sqlite/maps.ts';",
  'src/services/one.ts': "import './two.ts';",
  'src/services/two.ts': "import type {} from './one.ts';",
  'src/storage/storage.ts': '',
  'src/storage/open.ts': "import './sqlite/maps.ts'; import './mongodb/maps.ts';",
  'src/storage/sqlite/maps.ts': "import '../storage.ts'; import '../open.ts'; import '../mongodb/maps.ts';",
  'src/storage/mongodb/maps.ts': "import 'mongodb'; import '../missing.ts';",
  'src/graphql/schema.ts': "export const load = () => import('../http/server.ts');",
  'src/http/server.ts': "import type {} from '../app/config.ts'; import '../app/observability/metrics.ts';",
  'src/app/config.ts': '',
  'src/app/observability/metrics.ts': "import 'mongodb';",
  'src/elsewhere/x.ts': "import '../errors.ts';",
  'web/shared/Button.svelte': '<script lang="ts">import "../console/page.ts";</script>',
  'web/console/page.ts': "import '../shared/text.ts';",
  'web/shared/text.ts': '',
  'bench/subjects/peer.ts': "import '../../src/errors.ts';",
  'scripts/build.mjs': "import '../src/errors.ts';",
};

const EXPECTED = [
  'from bench/subjects/: bench/subjects/peer.ts → src/errors.ts',
  'package mongodb: src/app/observability/metrics.ts → mongodb',
  'domain is pure: src/domain/file.ts → fs',
  'from src/domain/: src/domain/map.ts → src/services/maps/map-service.ts',
  'no file outside the table: src/elsewhere/x.ts → src/errors.ts',
  'from src/graphql/: src/graphql/schema.ts → src/http/server.ts',
  'http takes only types of app: src/http/server.ts → src/app/observability/metrics.ts',
  'from src/services/: src/services/maps/map-service.ts → src/storage/sqlite/maps.ts',
  'no cycles: src/services/one.ts → src/services/two.ts',
  'no missing file: src/storage/mongodb/maps.ts → ../missing.ts',
  'no cycles: src/storage/open.ts → src/storage/sqlite/maps.ts',
  'from src/storage/sqlite/: src/storage/sqlite/maps.ts → src/storage/mongodb/maps.ts',
  'from src/storage/sqlite/: src/storage/sqlite/maps.ts → src/storage/open.ts',
  'from web/shared/: web/shared/Button.svelte → web/console/page.ts',
];

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

it('every rule finds exactly its violation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'map-locations-rules-'));
  try {
    for (const [file, text] of Object.entries(SOURCES)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const { stdout } = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
        ...['--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json'],
        ...['src', 'web', 'bench', 'scripts'],
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    const { summary } = JSON.parse(stdout) as { summary: { violations: readonly Violation[] } };
    const violations = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
    expect(violations.toSorted()).toEqual(EXPECTED.toSorted());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('the folders of the table form no cycle', () => {
  const rows = LAYERS.map(([folder, allowed]) => ({
    folder,
    // Single files are exceptions, not layers.
    below: allowed.filter((path) => path.endsWith('/')),
  }));
  const visit = (folder: string, path: readonly string[]): readonly string[] => {
    if (path.includes(folder)) return [...path, folder];
    const row = rows.find((each) => each.folder === folder);
    const next = (row?.below ?? []).flatMap((place) =>
      rows.filter((each) => each.folder !== folder && each.folder.startsWith(place)),
    );
    for (const each of next) {
      const cycle = visit(each.folder, [...path, folder]);
      if (cycle.length > 0) return cycle;
    }
    return [];
  };
  expect(rows.map(({ folder }) => visit(folder, [])).find((cycle) => cycle.length > 0) ?? []).toEqual([]);
});
