/** Reading the locations of a query. It needs no server. */

import { createdLocation } from '../../../../src/domain/location.ts';
import { toDocument } from '../../../../src/storage/mongodb/locations/location-records.ts';
import type { Collections } from '../../../../src/storage/mongodb/schema.ts';
import { queryOfMaps } from '../../../../src/storage/mongodb/search/queries.ts';
import { LocationReader, SearchTimeout } from '../../../../src/storage/mongodb/search/reader.ts';
import { aLocation } from '../../../contract/storage/fixtures.ts';

const DOCUMENTS = 100;
const sortKey = { order: '1', orderKey: '1', sequence: 1 };

/** Sends documents in one batch. */
function readerOf(time: SearchTimeout) {
  const batches = [
    Array.from({ length: DOCUMENTS }, () => toDocument(createdLocation(aLocation('map'), sortKey))),
  ];
  const close = jest.fn(() => Promise.resolve());
  const cursor = {
    project: () => cursor,
    hint: () => cursor,
    batchSize: () => cursor,
    hasNext: () => Promise.resolve(batches.length > 0),
    readBufferedDocuments: () => batches.shift() ?? [],
    close,
  };
  const collections = { locations: { find: () => cursor } } as unknown as Collections;
  return { reader: new LocationReader(collections, time), close };
}

/** Simulates long work on a location. */
function work(): void {
  const end = performance.now() + 1;
  while (performance.now() < end);
}

describe('the reader of a query', () => {
  it('yields to the event loop between locations', async () => {
    const { reader } = readerOf(new SearchTimeout({ leftMs: 60_000 }));
    let turns = 0;
    let immediate = setImmediate(function count() {
      turns += 1;
      immediate = setImmediate(count);
    });
    let read = 0;
    for await (const location of reader.read(queryOfMaps(['map']))) {
      expect(location.mapId).toBe('map');
      read += 1;
      work();
    }
    clearImmediate(immediate);
    expect(read).toBe(DOCUMENTS);
    // 100 ms in slices of 10 ms.
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('stops within a batch when the caller aborts, and closes its cursor', async () => {
    const controller = new AbortController();
    const { reader, close } = readerOf(new SearchTimeout({ leftMs: 60_000 }, controller.signal));
    let read = 0;
    const reading = async () => {
      for await (const location of reader.read(queryOfMaps(['map']))) {
        expect(location.mapId).toBe('map');
        read += 1;
        work();
        if (read === 5) controller.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(read).toBeLessThan(DOCUMENTS);
    expect(close).toHaveBeenCalledTimes(1);
  });
});
