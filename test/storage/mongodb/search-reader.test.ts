/** Reading what a query finds. No server is needed. */

import type { Collections } from '../../../src/storage/mongodb/database.ts';
import { SearchTimeout } from '../../../src/storage/mongodb/search/search-timeout.ts';
import { queryOfMaps } from '../../../src/storage/mongodb/search/queries.ts';
import { LocationReader } from '../../../src/storage/mongodb/search/reader.ts';
import { toDocument } from '../../../src/storage/mongodb/location-documents.ts';
import { createdLocation } from '../../../src/domain/location.ts';
import { aLocation } from '../../contract/storage/fixtures.ts';

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

/** As long work with a location would. */
function work(): void {
  const end = performance.now() + 1;
  while (performance.now() < end);
}

describe('what a query finds', () => {
  it('leaves the event loop to others between its locations', async () => {
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

  it('is given up within a batch when the caller has gone, and its cursor is closed', async () => {
    const gone = new AbortController();
    const { reader, close } = readerOf(new SearchTimeout({ leftMs: 60_000 }, gone.signal));
    let read = 0;
    const reading = async () => {
      for await (const location of reader.read(queryOfMaps(['map']))) {
        expect(location.mapId).toBe('map');
        read += 1;
        work();
        if (read === 5) gone.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(read).toBeLessThan(DOCUMENTS);
    expect(close).toHaveBeenCalledTimes(1);
  });
});
