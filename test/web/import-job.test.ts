/** The console's import worker, compared with the command line. */

import { findOwnedMap, operatorFor } from '../../src/services/operator.ts';
import { importRows } from '../../src/transfer/import/import-rows.ts';
import { untranslated } from '../../src/transfer/message.ts';
import { openImport } from '../../src/transfer/open-import.ts';
import { ImportLocationsDocument, ImportUpsertsDocument } from '../../web/console/generated/operations.ts';
import { textOfValue } from '../../web/console/common/field-inputs.ts';
import { blobSource } from '../../web/console/import/blob-source.ts';
import { exactJson } from '../../web/console/import/exact-json.ts';
import type { JobOptions } from '../../web/console/import/import-job.ts';
import type { JobListener } from '../../web/console/import/import-pass.ts';
import { ImportJob } from '../../web/console/import/import-job.ts';
import type { Send, ImportRequest } from '../../web/console/import/import-run.ts';
import { ReportText } from '../../web/console/import/report-text.ts';
import { GraphqlError } from '../../web/shared/graphql.ts';
import { dataOf, makeMap } from '../support/graphql.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const FIELDS = [
  { name: 'Name', type: 'placeName', isPublic: true },
  { name: 'Address', type: 'address', isPublic: true },
  { name: 'Seats', type: 'number', isPublic: true },
] as const;
const QUIET: JobListener = { onProgress: () => {}, onWait: () => {} };
const REASONS = { unconfirmed: 'No response.', notReached: 'Not reached.' };
const never = () => new AbortController().signal;

describe('an import in the console', () => {
  let server: TestServer;
  let mapId: string;
  beforeAll(async () => {
    server = await createTestServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    mapId = (await makeMap(server, { fields: FIELDS })).id;
  });

  /** Sends as the worker does, without a network. */
  const send: Send = async ({ isUpsert, isDryRun: dryRun, locations, historyId }) => {
    const document = isUpsert ? ImportUpsertsDocument : ImportLocationsDocument;
    const body = exactJson({
      query: document.toString(),
      variables: { input: { mapId, locations, dryRun, historyId } },
    });
    const headers = { 'content-type': 'application/json' };
    const { json } = await server.request('POST', '/graphql', { body, headers });
    const [error] = json.errors ?? [];
    if (error !== undefined) throw new GraphqlError(error.extensions.code, error.message);
    return json.data.upsertLocations ?? json.data.createLocations;
  };
  const jobOf = (text: string | Uint8Array<ArrayBuffer>, name = 'a.csv', options: JobOptions = {}) =>
    new ImportJob({ name, blob: new Blob([text]) }, FIELDS, options);
  const namesOf = async () => {
    const query = `{ map(id: "${mapId}") { locations(first: 100) { nodes { name } } } }`;
    const { nodes } = dataOf(await server.graphql(query)).map.locations;
    return nodes.map(({ name }: { name: string }) => name);
  };

  describe('dry', () => {
    const onTheCommandLine = async (text: string, name: string, options: JobOptions) => {
      const { owner, map } = await findOwnedMap(server.gateway.storage, mapId);
      const source = await openImport(blobSource({ name, blob: new Blob([text]) }), map.fields, options);
      const report = new ReportText();
      await importRows(server.gateway, { caller: operatorFor(owner) }, map, source, {
        isDryRun: true,
        isUpsert: options.isUpsert ?? false,
        onStored: (line, outcome) => report.add(line, outcome, ''),
        onRejected: ({ line, code, reason }) => report.add(line, code, reason),
      });
      return report.pieces.join('').split('\r\n');
    };
    const inTheConsole = async (text: string, name: string, options: JobOptions) => {
      const job = jobOf(text, name, options);
      expect((await job.check(send, never(), QUIET)).end).toEqual({ kind: 'complete' });
      const report = await (await job.report(REASONS)).text();
      await job.close();
      return report.split('\r\n');
    };
    const rows = [
      'A,S 1,48.1,11.5,e1,4',
      'B,S 2,91,0,e2,',
      ',S 3,91,0,e3,',
      ',S 4,1,1,e4,',
      'C,,1,1,e5,',
      'D,S 5,48.1,,e6,',
      'E,S 6,"48,1",11,e7,',
      'A,S 1,48.1,11.5,e1,4',
      'A,S 1b,48.1,11.5,e1,5',
      'F,S 7,,,,many',
      'G,S 8,1,1,e8,1,beyond',
      'H,S 9,1,1,"e\u00079",',
      'There,Old,2,2,there,1',
      'There,New,2,2,there,1',
      'New name,Elsewhere,,,there,1',
      ',,,,,',
    ];
    const table = `Name,Address,lat,lng,externalId,Seats\n${rows.join('\n')}\n`;
    const records = [
      { Name: 'A', Address: 'S 1', big: 1, lat: 1, lng: 2 },
      { Name: 'B', Address: 'S 2', list: [[[[[[]]]]]] },
      { Name: 7, Address: 'S 3' },
      { properties: { Name: 'C', Address: 'S 4' }, latitude: 200, longitude: 1 },
      [],
    ].map((record) => JSON.stringify(record));
    const lines = [
      ...records,
      '{"Name":"Infinite","Address":"S 5","size":1e999}',
      '{"Name":"Large","Address":"S 6","size":12345678901234567890}',
      '{"latitude":1,"longitude":2,"properties":{"Name":"Own","Address":"S 7","size":12345678901234567890,"zero":-0}}',
      `{"Name":"Deep","Address":"S 8","deep":${'['.repeat(200)}${']'.repeat(200)}}`,
      '{"Name":"After","Address":"S 9"}',
    ].join('\n');

    it.each([
      ['creating', 'a.csv', table, false],
      ['upserting', 'a.csv', table, true],
      ['creating records', 'a.ndjson', lines, false],
    ])('gives every row the same outcome as the command line, %s', async (_, name, text, isUpsert) => {
      const location = { fields: { Name: 'There', Address: 'Old', Seats: '1' }, externalId: 'there' };
      const position = { latitude: 2, longitude: 2 };
      const mutation =
        'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { map { id } } }';
      dataOf(await server.graphql(mutation, { input: { mapId, ...location, position } }));
      const options = { isUpsert, uses: new Map([['externalId', { kind: 'externalId' } as const]]) };
      const expected = await onTheCommandLine(text, name, options);
      expect(expected.length).toBeGreaterThan(8);
      const deep = (line: string) =>
        line.replace(/(nests deeper than)[^"]*/, '$1 …').replace('The body', 'fields');
      expect((await inTheConsole(text, name, options)).map(deep)).toEqual(expected.map(deep));
      expect(await namesOf()).toEqual(['There']);
    });
  });

  it('shows the mapping of the columns, even if it cannot be imported', async () => {
    const preview = await jobOf('Title,street,city,lat,lng\nA,S 1,X,1,2\n').preview();
    expect(preview.problem?.[0]?.text).toMatch(/no column "Name", which is the map's name field/);
    expect(preview.columns.map(({ key, use, values }) => [key, use, values])).toEqual([
      ['Title', 'property', ['A']],
      ['street', 'property', ['S 1']],
      ['city', 'property', ['X']],
      ['lat', 'latitude', ['1']],
      ['lng', 'longitude', ['2']],
    ]);
    expect(preview).toMatchObject({
      suggestedAddress: '{street}, {city}',
      rows: 1,
      isWhole: true,
      label: 'CSV',
    });
    const uses = new Map([['Title', { kind: 'field', name: 'Name' } as const]]);
    const good = await jobOf('Title,street,city\nA,S 1,X\n', 'a.csv', {
      uses,
      address: '{street}, {city}',
    }).preview();
    expect(good.problem).toBeNull();
    const wrong = await jobOf('Name\nA\n', 'a.csv', { address: 'city' }).preview();
    expect(wrong.problem?.[0]?.text).toMatch(/names no column; write columns in braces/);
  });

  it('reads legacy text in the encoding that spreadsheets write, or in the chosen one', async () => {
    const bytes = Uint8Array.from(Buffer.from('Name,Address,lat,lng\nCafé,S 1,1,2\n', 'latin1'));
    const job = jobOf(bytes);
    expect(await job.preview()).toMatchObject({ encoding: 'windows-1252', isMarked: false });
    expect((await job.import(send, never(), QUIET)).counts).toMatchObject({ created: 1, rejected: 0 });
    expect(await namesOf()).toEqual(['Café']);
    await expect(jobOf(bytes, 'a.csv', { encoding: 'utf-8' }).preview()).rejects.toThrow(/it is not UTF-8/);
  });

  it('warns of values that look like mistakes', async () => {
    const { warnings } = await jobOf('Name,Address,Seats\nA,S 1,many\nB,S 2,3\n').preview();
    expect(warnings).toEqual({
      count: 1,
      first: [{ line: 2, field: 'Seats', value: 'many', warning: 'number' }],
    });
  });

  const tableOf = (count: number) =>
    `Name,Address,lat,lng\n${Array.from({ length: count }, (_, index) => `N${index},S,1,2\n`).join('')}`;

  it('stores each row once if a response is lost, and reports which rows are uncertain', async () => {
    const sent: ImportRequest[] = [];
    const losing: Send = async (sending) => {
      const responses = await send(sending);
      sent.push(sending);
      if (sent.length === 2) throw new GraphqlError('NETWORK_ERROR', 'It broke.');
      return responses;
    };
    const job = jobOf(tableOf(1_100));
    const failed = await job.import(losing, never(), QUIET);
    expect(failed.end).toMatchObject({
      ...{ kind: 'failed', line: 502, lastLine: 1_001 },
      error: { code: 'NETWORK_ERROR' },
    });
    expect(failed.counts).toMatchObject({ rows: 500, created: 500 });
    const left = (await (await job.rejected(REASONS)).blob.text()).split('\n');
    expect([left.length, left[0], left[1], left[501]]).toEqual([
      602,
      'Name,Address,lat,lng,line,code,reason',
      'N500,S,1,2,502,NOT_IMPORTED,No response.',
      'N1000,S,1,2,1002,NOT_IMPORTED,Not reached.',
    ]);
    const complete = await job.resume(losing, never(), QUIET);
    expect(complete).toMatchObject({ end: { kind: 'complete' }, counts: { rows: 1_100, created: 1_100 } });
    expect(sent[2]?.locations).toEqual(sent[1]?.locations);
    const query = `{ map(id: "${mapId}") { locations(first: 1) { totalCount } } }`;
    expect(dataOf(await server.graphql(query)).map.locations.totalCount).toBe(1_100);
    expect(await historyOf()).toEqual([{ id: complete.historyId, created: 1_100, updated: 0 }]);
  });

  const historyOf = async () => {
    const query = `{ map(id: "${mapId}") { history { nodes { id created updated } } } }`;
    return dataOf(await server.graphql(query)).map.history.nodes;
  };

  it('is one change of the history, with creates and upserts', async () => {
    const rows = ['e1', '', 'e1', 'e2'].map((externalId, index) => `N${index},S,1,2,${externalId}\n`);
    const job = jobOf(`Name,Address,lat,lng,externalId\n${rows.join('')}`, 'a.csv', { isUpsert: true });
    const { historyId } = await job.import(send, never(), QUIET);
    expect(await historyOf()).toEqual([{ id: historyId, created: 3, updated: 1 }]);
  });

  it('goes on as another change when the first one is too old', async () => {
    const refusing: Send = (sending) =>
      sending.historyId === null
        ? send(sending)
        : Promise.reject(new GraphqlError('HISTORY_NOT_FOUND', 'Too old.'));
    const { end, counts } = await jobOf(tableOf(501)).import(refusing, never(), QUIET);
    expect([end.kind, counts.created]).toEqual(['complete', 501]);
    expect(await historyOf()).toHaveLength(2);
  });

  it('is no change of the history when it is only checked', async () => {
    expect((await jobOf(tableOf(2)).check(send, never(), QUIET)).historyId).toBeNull();
    expect(await historyOf()).toEqual([]);
  });

  it('stops after the current request, and returns the rest as an importable file', async () => {
    const stop = new AbortController();
    const stopping: Send = (sending) => {
      stop.abort();
      return send(sending);
    };
    const job = jobOf(tableOf(501));
    const { end, counts } = await job.import(stopping, stop.signal, QUIET);
    expect([end, counts.created]).toEqual([{ kind: 'stopped', line: 502 }, 500]);
    const { name, blob } = await job.rejected(REASONS);
    expect(name).toBe('a.rejected.csv');
    const rest = jobOf(await blob.text(), 'renamed.csv');
    expect((await rest.import(send, never(), QUIET)).counts).toMatchObject({ rows: 1, created: 1 });
    expect((await (await job.report(REASONS)).text()).split('\r\n').slice(-2)).toEqual([
      '502,"NOT_IMPORTED","Not reached."',
      '',
    ]);
  });

  it('waits as the server requests, and retries', async () => {
    const waits: number[] = [];
    let isLimited = true;
    const limited: Send = (sending) => {
      if (!isLimited) return send(sending);
      isLimited = false;
      return Promise.reject(new GraphqlError('RATE_LIMITED', 'Too many requests.', { retryAfter: 0 }));
    };
    const listener = { ...QUIET, onWait: (seconds: number) => void waits.push(seconds) };
    const { end, counts } = await jobOf(tableOf(2)).import(limited, never(), listener);
    expect([waits, end.kind, counts.created]).toEqual([[0], 'complete', 2]);
  });

  it('splits a refused batch to find the rows that cause the refusal', async () => {
    const refusing =
      (bad: RegExp): Send =>
      (sending) => {
        if (!sending.locations.some(({ fields }) => bad.test(textOfValue(fields['Name']))))
          return send(sending);
        return Promise.reject(new GraphqlError('PAYLOAD_TOO_LARGE', 'Too large.'));
      };
    const { rejected, counts } = await jobOf(tableOf(20)).import(refusing(/^N[67]$/), never(), QUIET);
    expect(rejected).toEqual({
      count: 2,
      first: [
        { line: 8, code: 'PAYLOAD_TOO_LARGE', problem: untranslated('Too large.') },
        { line: 9, code: 'PAYLOAD_TOO_LARGE', problem: untranslated('Too large.') },
      ],
    });
    expect(counts.created).toBe(18);
    expect((await namesOf()).slice(5, 7)).toEqual(['N5', 'N8']);
    // If no row is accepted, the file is not the cause.
    const { end } = await jobOf(tableOf(20)).import(refusing(/./), never(), QUIET);
    expect(end).toMatchObject({
      ...{ kind: 'failed', line: 2, lastLine: 21 },
      error: { code: 'PAYLOAD_TOO_LARGE', message: 'Too large.' },
    });
  });

  it('does not send rows that failed the check', async () => {
    const job = jobOf('Name,Address,lat,lng\nA,S 1,1,2\n,S 2,1,2\n');
    await job.check(send, never(), QUIET);
    const sent: ImportRequest[] = [];
    const { rejected } = await job.import(
      (sending) => send(sending).finally(() => sent.push(sending)),
      never(),
      QUIET,
    );
    expect(sent.map(({ locations }) => locations.length)).toEqual([1]);
    expect(rejected.first).toMatchObject([
      { line: 3, problem: { key: 'missingField', values: { field: 'Name' } } },
    ]);
  });
});

describe('the JSON of an import', () => {
  it('keeps each number as its double', () => {
    const numbers = [1, -0, 0.1, 2 ** 53, -(2 ** 70), 1e300, Infinity, -Infinity];
    const text = exactJson({ numbers, text: '"number 1: 2"' });
    expect(JSON.parse(text)).toEqual({ numbers, text: '"number 1: 2"' });
    expect(text).toContain('9.007199254740992e+15');
  });
});

describe('the report of an import', () => {
  it('has nothing that a spreadsheet reads as a formula', () => {
    const report = new ReportText();
    report.add(2, 'BAD_USER_INPUT', '=1+"x"');
    expect(report.pieces.join('')).toBe('row,outcome,message\r\n2,"BAD_USER_INPUT","\'=1+""x"""\r\n');
  });
});
