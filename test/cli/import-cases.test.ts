/** Imports of realistic files on the command line. */

import { writeFileSync } from 'node:fs';

import { readConfig } from '../../src/app/config.ts';
import type { FieldDefinition } from '../../src/domain/map.ts';
import { addressFieldOf, nameFieldOf } from '../../src/domain/map.ts';
import type { StoreApplication } from '../../src/app/composition/store.ts';
import { openStoreApplication } from '../../src/app/composition/store.ts';
import type { Caller } from '../../src/services/caller.ts';
import { operatorFor } from '../../src/services/operator.ts';
import { createFakeGeocoder } from '../support/fake-geocoder.ts';
import type { GeocodingServer } from '../support/geocoding-server.ts';
import { found, startGeocodingServer } from '../support/geocoding-server.ts';
import type { ImportCase } from '../support/import-cases.ts';
import { IMPORT_CASES } from '../support/import-cases.ts';
import { sampled } from '../support/scope.ts';
import type { Outcome, Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

interface Result {
  readonly rejectedFile: string | null;
  readonly columns: readonly { readonly column: string; readonly description: string }[];
  readonly notes: readonly string[];
}

describe('a realistic file', () => {
  let workspace: Workspace;
  let gateway: StoreApplication;
  let caller: Caller;
  let provider: GeocodingServer;

  beforeAll(async () => {
    workspace = createWorkspace();
    provider = await startGeocodingServer();
    provider.play(found);
    Object.assign(workspace.environment, { GEOCODER: 'nominatim', NOMINATIM_URL: provider.url });
    const config = readConfig({ DATABASE_URL: workspace.databaseUrl });
    gateway = await openStoreApplication(config, { geocoder: createFakeGeocoder() });
    caller = operatorFor((await gateway.services.tokens.findOrCreateOwner('me')).owner);
  });
  afterAll(async () => {
    await gateway.close();
    await provider.close();
    workspace.remove();
  });

  const createMap = async (fields: readonly FieldDefinition[] | undefined) =>
    gateway.services.maps.createMap({ caller }, { name: 'M', ...(fields && { fields }) });

  /** Cases that also get a dry run, like those with rejected rows; test:full runs it for all. */
  const checked = sampled(IMPORT_CASES, 5);
  for (const one of IMPORT_CASES) {
    it(`is imported, or refused with its name: ${one.name}`, async () => {
      const { file, content, args = [], refused, damaged, rejected = [] } = one;
      writeFileSync(workspace.path(file), content);
      const map = await createMap(one.fields);
      const dryRun =
        checked.has(one) || rejected.length > 0
          ? await workspace.run('import', map.id, file, ...args, '--dry-run')
          : undefined;
      const outcome = await workspace.run('import', map.id, file, ...args, '--json');
      const locations = await gateway.storage.listLocations(map.id, {
        limit: 100,
        fromEnd: false,
        after: null,
        before: null,
      });
      if (refused !== undefined) {
        expect(outcome).toMatchObject({ code: 2, stdout: '' });
        expect(messageOf(outcome)).toContain(refused);
        if (dryRun !== undefined) expect(dryRun).toMatchObject({ code: 2, stdout: '' });
        expect(locations).toEqual([]);
        return;
      }
      const code = rejected.length > 0 || damaged !== undefined ? 1 : 0;
      expect(outcome.code).toBe(code);
      expect(locations.map((location) => shownOf(location, map.fields, one))).toEqual(
        (one.stored ?? []).map((expected) => ({ ...expected })),
      );
      if (dryRun !== undefined) {
        expect(dryRun.code).toBe(code);
        const rows = dryRun.stdout.split('\n').filter((line) => line !== '');
        expect(rows).toHaveLength(locations.length + rejected.length);
        for (const [line, reason] of rejected) {
          const row = rows.find((text) => text.startsWith(`${line}\t`));
          expect(row).toContain(`\tBAD_USER_INPUT\t`);
          expect(row).toContain(reason);
        }
      }
      if (damaged !== undefined) {
        expect(messageOf(outcome)).toContain(` ${damaged[0]} on`);
        expect(messageOf(outcome)).toContain(damaged[1]);
      }
      const { columns, notes } = JSON.parse(outcome.stdout) as Result;
      for (const [header, description] of Object.entries(one.columns ?? {})) {
        expect(columns.find(({ column }) => column === header)?.description).toContain(description);
      }
      for (const note of one.notes ?? []) expect(notes.join('\n')).toContain(note);
    });
  }
});

/** The message of the JSON error on stderr, after any notes. */
function messageOf({ stderr }: Outcome): string {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('{"error"'))
    .map((line) => (JSON.parse(line) as { error: { message: string } }).error.message)
    .join('\n');
}

type Stored = Awaited<ReturnType<StoreApplication['storage']['listLocations']>>[number];

/** The parts of a location that the case names. */
function shownOf(location: Stored, fields: readonly FieldDefinition[], { stored = [] }: ImportCase) {
  const expected = stored.find(({ name }) => name === location.name) ?? { name: '' };
  const {
    [nameFieldOf(fields) ?? '']: _name,
    [addressFieldOf(fields) ?? '']: address,
    ...more
  } = location.properties;
  const isGiven = location.geocoding.provider === 'manual';
  const all = {
    name: location.name,
    point: isGiven ? [location.latitude, location.longitude] : null,
    address,
    externalId: location.externalId,
    more,
  };
  return Object.fromEntries(Object.entries(all).filter(([key]) => key in expected));
}
