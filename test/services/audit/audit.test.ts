/** The audit log: a line for every write at both endpoints, in one process. */

import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { OperatorError } from '../../../src/errors.ts';
import { AuditFile } from '../../../src/app/observability/audit-file.ts';
import type { AuditLine } from '../../../src/services/audit/audit.ts';
import { lastHistoryId, makeLocations, makeMap, makeWebhook } from '../../support/graphql.ts';
import { Issuer } from '../../support/issuer.ts';
import type { Ids } from '../../support/root-fields.ts';
import { shareMap } from '../../support/members.ts';
import { MUTATIONS } from '../../support/root-fields.ts';
import type { TestResponse, TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';

const UNKNOWN_MAP = '0123456789abcdef';
const NOW = 1_900_000_000_000;

let folder: string;
let path: string;
let server: TestServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
  path = join(folder, 'audit.log');
  server = await createTestServer({ AUDIT_LOG: path }, { clock: () => NOW });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const linesOf = (file = path) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditLine);
/** The lines that `work` adds. */
async function added(work: () => Promise<unknown>): Promise<AuditLine[]> {
  const before = linesOf().length;
  await work();
  return linesOf().slice(before);
}
const named = (requestId: string) => ({ 'x-request-id': requestId });
const fields = (name = 'N') => ({ Name: name, Address: 'A' });

describe('the audit log', () => {
  it('has a line for each mutation of the schema and none for queries', async () => {
    for (const [operation, document] of Object.entries(MUTATIONS)) {
      const { id: mapId } = await makeMap(server);
      const [location] = await makeLocations(server, mapId, [null]);
      const { record } = await server.gateway.services.tokens.createToken({
        owner: 'tester',
        scope: 'read',
        mapId: null,
        expiresAt: null,
      });
      const webhookId = await makeWebhook(server, mapId);
      const locationId = location?.id ?? '';
      const historyId = await lastHistoryId(server, mapId);
      const shared = await shareMap(server, mapId);
      const ids: Ids = { mapId, locationId, tokenId: record.id, webhookId, historyId, ...shared };
      const lines = await added(() => server.graphql(document(ids)));
      expect(lines).toEqual([
        {
          time: '2030-03-17T17:46:40.000Z',
          requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          owner: 'tester',
          tokenId: expect.stringMatching(/^token_/),
          operation,
          mapId: operation.endsWith('Token') ? null : operation === 'createMap' ? expect.any(String) : mapId,
          ids: expect.any(Array),
          outcome: 'ok',
        },
      ]);
      expect(Object.keys(lines[0] ?? {})).toEqual([
        'time',
        'requestId',
        'owner',
        'tokenId',
        'operation',
        'mapId',
        'ids',
        'outcome',
      ]);
    }
    const { id } = await makeMap(server);
    expect(
      await added(async () => {
        await server.graphql('{ viewer { owner maps { totalCount } } }');
        await server.request('GET', `/v0/map/${id}`);
        await server.request('GET', `/v0/map/${UNKNOWN_MAP}`);
      }),
    ).toEqual([]);
  });

  it('names writes of /v0 by their mutations, and marks replays', async () => {
    const { id: mapId } = await makeMap(server);
    const url = `/v0/map/${mapId}/location`;
    const create = (requestId: string) =>
      server.request('POST', url, {
        body: { fields: fields() },
        headers: { ...named(requestId), 'idempotency-key': 'k' },
      });
    let id = '';
    const lines = await added(async () => {
      id = (await create('first')).json.data.id as string;
      await create('second');
      await server.request('DELETE', `${url}/${id}`, { headers: named('third') });
      await server.request('DELETE', `${url}/${id}`, { headers: named('fourth') });
    });
    expect(lines).toMatchObject([
      { requestId: 'first', operation: 'createLocation', mapId, ids: [id], outcome: 'ok' },
      { requestId: 'second', operation: 'createLocation', mapId, ids: [id], outcome: 'replayed' },
      { requestId: 'third', operation: 'deleteLocation', mapId, ids: [id], outcome: 'ok' },
      { requestId: 'fourth', operation: 'deleteLocation', mapId, ids: [id], outcome: 'LOCATION_NOT_FOUND' },
    ]);
  });

  it('has each failed write of a valid token once, with its code', async () => {
    const { id: mapId } = await makeMap(server);
    const reader = await server.createToken({ scope: 'read' });
    const url = `/v0/map/${mapId}/location`;
    const good = { fields: fields() };
    const lines = await added(async () => {
      await server.request('POST', url, { body: good, token: reader });
      await server.request('POST', url, { body: '{' });
      await server.request('POST', url, { body: { fields: 1 } });
      await server.request('POST', url, { body: good, headers: { 'content-type': 'text/plain' } });
      await server.request('POST', url, { body: ' '.repeat(1_048_577) });
      await server.request('POST', `/v0/map/${UNKNOWN_MAP}/location`, { body: good });
      await server.request('POST', url, { body: { fields: { ...fields(), Address: ' ' } } });
      await server.graphql(`mutation { deleteLocations(input: { mapId: "${mapId}" }) { deletedIds } }`);
    });
    expect(lines.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['createLocation', 'FORBIDDEN'],
      ['createLocation', 'BAD_USER_INPUT'],
      ['createLocation', 'BAD_USER_INPUT'],
      ['createLocation', 'UNSUPPORTED_MEDIA_TYPE'],
      ['createLocation', 'PAYLOAD_TOO_LARGE'],
      ['createLocation', 'MAP_NOT_FOUND'],
      ['createLocation', 'BAD_USER_INPUT'],
      ['deleteLocations', 'BAD_USER_INPUT'],
    ]);
    expect(
      await added(async () => {
        for (const token of [null, 'mlt_unknown']) {
          await server.request('POST', url, { body: good, token });
          await server.graphql('mutation { createMap(input: { name: "X" }) { map { id } } }', {}, token);
        }
      }),
    ).toEqual([]);
  });

  it('lists the written locations of a bulk write, or marks it replayed when there are none', async () => {
    const { id: mapId } = await makeMap(server);
    const create = (keys: readonly string[], name = 'N') =>
      server.graphql(
        'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { results { location { id } } } }',
        {
          input: {
            mapId,
            locations: keys.map((idempotencyKey) => ({ fields: fields(name), idempotencyKey })),
          },
        },
      );
    const idsOf = async (made: Promise<TestResponse>) => {
      const results = (await made).json.data.createLocations.results as { location: { id: string } }[];
      return results.map(({ location }) => location.id);
    };
    let first: string[] = [];
    let second: string[] = [];
    const lines = await added(async () => {
      first = await idsOf(create(['a', 'b']));
      second = await idsOf(create(['a', 'c']));
      await create(['a', 'b']);
      await create(['a', 'b'], 'another');
    });
    expect(lines).toMatchObject([
      { ids: first, outcome: 'ok' },
      { ids: [second[1]], outcome: 'ok' },
      { ids: first, outcome: 'replayed' },
      { ids: [], outcome: 'CONFLICT' },
    ]);
  });

  it('has no line for a dry run', async () => {
    const { id: mapId } = await makeMap(server);
    const input = `{ mapId: "${mapId}", dryRun: true, locations: [{ fields: { Name: "N", Address: "A" } }] }`;
    const document = `mutation { createLocations(input: ${input}) { results { error { code } } } }`;
    expect(await added(() => server.graphql(document))).toEqual([]);
  });

  it('holds no values, no secrets and no invalid ids', async () => {
    const canary = 'canary-8a7b';
    const { id: mapId } = await makeMap(server, { providerMapApiKey: canary });
    const { json } = await server.graphql(
      `mutation { createToken(input: { scope: write, name: "${canary}" }) { secret } }`,
    );
    for (const document of [
      `mutation { createMap(input: { name: "${canary}", geocodingApiKey: "${canary}" }) { map { id } } }`,
      `mutation { updateMap(input: { id: "${canary}", name: "${canary}" }) { map { id } } }`,
      `mutation { deleteLocation(input: { mapId: "${mapId}", id: "${canary}" }) { deletedId } }`,
      `mutation { deleteLocations(input: { mapId: "${mapId}", ids: ["${canary}"] }) { deletedIds } }`,
      `mutation { revokeToken(input: { id: "${json.data.createToken.secret}" }) { revokedId } }`,
      `mutation { createLocation(input: { mapId: "${mapId}", fields: { Name: "${canary}", Address: "${canary}" } }) { map { id } } }`,
    ]) {
      expect(await added(() => server.graphql(document))).toHaveLength(1);
    }
    await server.request('DELETE', `/v0/map/${mapId}/location/${canary}`);
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain(canary);
    expect(text).not.toContain(json.data.createToken.secret);
  });

  it('has at most 1,000 ids in a line', async () => {
    const own = await createTestServer({ AUDIT_LOG: path, BULK_MAX_LOCATIONS: '2000' });
    try {
      const { id: mapId } = await makeMap(own);
      const position = { latitude: 1, longitude: 1 };
      const locations = Array.from({ length: 1_001 }, () => ({ fields: fields(), position }));
      const document =
        'mutation ($input: CreateLocationsInput!) { createLocations(input: $input) { map { id } } }';
      const [line] = await added(() => own.graphql(document, { input: { mapId, locations } }));
      expect(line?.ids).toHaveLength(1_000);
    } finally {
      await own.close();
    }
  });

  it('names a JWT by its owner and its scope', async () => {
    const issuer = await Issuer.start();
    const own = await createTestServer({ ...issuer.settings, AUDIT_LOG: path });
    try {
      const owner = `${issuer.url}#alice`;
      const make = 'mutation { createMap(input: { name: "X" }) { map { id } } }';
      const lines = await added(async () => {
        await own.graphql(make, {}, await issuer.sign());
        await own.graphql(make, {}, await issuer.sign({ scope: 'map-locations:read' }));
        await own.graphql(make, {}, await issuer.sign({ scope: '' }));
      });
      expect(lines).toMatchObject([
        { owner, tokenId: `${owner} write`, outcome: 'ok' },
        { owner, tokenId: `${owner} read`, outcome: 'FORBIDDEN' },
      ]);
    } finally {
      await own.close();
      await issuer.stop();
    }
  });

  it('is readable by its owner only', () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('continues in a new file when the old one was moved away', async () => {
    const moved = `${path}.1`;
    await makeMap(server);
    renameSync(path, moved);
    await makeMap(server);
    expect(linesOf(moved)).toHaveLength(3);
    server.gateway.reopenAudit?.();
    await makeMap(server);
    expect([linesOf(moved).length, linesOf().length, statSync(path).mode & 0o777]).toEqual([3, 1, 0o600]);
  });
});

describe('the file of the audit log', () => {
  const line = { operation: 'createMap' } as AuditLine;

  it('prevents the start when it cannot be opened', async () => {
    for (const wrong of [folder, join(folder, 'none', 'audit.log')]) {
      const error: unknown = await createTestServer({ AUDIT_LOG: wrong }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OperatorError);
      expect((error as Error).message).toMatch(/^AUDIT_LOG must be .*\(E[A-Z]+\)\.$/);
    }
  });

  it('fails no write when it cannot be written, and reports the failure', async () => {
    const failures: unknown[] = [];
    const own = await createTestServer(
      { AUDIT_LOG: '/dev/full' },
      { onAuditFailure: (error) => failures.push(error) },
    );
    try {
      await makeMap(own);
      expect(failures).toMatchObject([{ code: 'ENOSPC' }, { code: 'ENOSPC' }]);
    } finally {
      await own.close();
    }
  });

  it('stays the old one when the new one cannot be opened', () => {
    const failures: unknown[] = [];
    const own = join(folder, 'own');
    const file = new AuditFile(own, (error) => failures.push(error));
    renameSync(own, `${own}.1`);
    mkdirSync(own);
    file.reopen();
    file.write(line);
    file.close();
    expect(failures).toMatchObject([{ code: 'EISDIR' }]);
    expect(linesOf(`${own}.1`)).toEqual([line]);
  });
});
