/** Exports of whole maps from a file: read in threads, without waiting. */

import { join } from 'node:path';

import { MAP_FORMATS } from '../../../../src/transfer/formats.ts';
import type { MapFormat } from '../../../../src/transfer/formats.ts';
import { createExportService } from '../../../../src/transfer/export/exports.ts';
import { operatorFor } from '../../../../src/services/operator.ts';
import { Database } from '../../../../src/storage/sqlite/database.ts';
import { sqliteStorage } from '../../../../src/storage/sqlite/storage.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { insertOrders, rejectionOf, seedMap, seedOwner } from '../../../contract/storage/fixtures.ts';
import { textOfExport } from '../../../support/zip.ts';
import { openConnection, temporaryFolder } from '../temporary.ts';

/** Several batches. */
const LOCATIONS = 400;
const folder = temporaryFolder();

let connection: Database;
let storage: Storage;
let begin: (format: MapFormat, signal?: AbortSignal) => Promise<AsyncGenerator<Buffer, void>>;

beforeAll(async () => {
  connection = await openConnection(join(folder, 'file.db'), 60_000);
  storage = sqliteStorage(connection, { readerThreads: 1 });
  const owner = await seedOwner(storage);
  const map = await seedMap(storage, { ownerId: owner.id });
  await insertOrders(storage, map.id, Array<null>(LOCATIONS).fill(null));
  begin = async (format, signal) => {
    const scope = { caller: operatorFor(owner), ...(signal !== undefined && { signal }) };
    const request = { mapId: map.id, format, isForSpreadsheet: false };
    return (await createExportService(storage, {}).openExport(scope, request)).read();
  };
});
afterAll(() => storage.close());

async function restOf(pieces: AsyncGenerator<Buffer, void>): Promise<string> {
  const all = [];
  for await (const piece of pieces) all.push(piece);
  return textOfExport(Buffer.concat(all));
}

const locationsIn = (text: string) => text.match(/place-1|<wpt /g)?.length;

describe('an export of a file', () => {
  for (const format of MAP_FORMATS) {
    it(`is read in a thread, except for its first part: ${format}`, async () => {
      const pieces = await begin(format);
      const read = jest.spyOn(Database.prototype, 'read');
      const text = await restOf(pieces);
      const reads = read.mock.calls.length;
      read.mockRestore();
      // A workbook has two first parts: the map is surveyed first.
      expect([locationsIn(text), reads]).toEqual([LOCATIONS, format === 'xlsx' ? 2 : 1]);
    });
  }

  it('holds no thread while its reader is paused', async () => {
    const waiting = await Promise.all(MAP_FORMATS.map((format) => begin(format)));
    for (const pieces of waiting) {
      await pieces.next();
      await pieces.next();
    }
    expect(locationsIn(await restOf(await begin('geojson')))).toBe(LOCATIONS);
    for (const pieces of waiting) for await (const _ of pieces);
  });

  it('continues when there are more of them than the queue of searches takes', async () => {
    const all = await Promise.all(Array.from({ length: 150 }, () => begin('csv')));
    const texts = await Promise.all(all.map(restOf));
    expect(texts.map(locationsIn)).toEqual(texts.map(() => LOCATIONS));
  });

  it('stops with the reason of its caller’s signal, even while waiting for a thread', async () => {
    const controller = new AbortController();
    const [first, second] = [await begin('csv', controller.signal), await begin('csv', controller.signal)];
    await Promise.all([first.next(), second.next()]);
    const rest = [rejectionOf(first.next()), rejectionOf(second.next())];
    const reason = new Error('controller');
    controller.abort(reason);
    expect(await Promise.all(rest)).toEqual([reason, reason]);
    expect(locationsIn(await restOf(await begin('csv')))).toBe(LOCATIONS);
  });
});
