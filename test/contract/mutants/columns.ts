/** Mutants with wrong columns of locations. */

import type { LocationColumns } from '../../../src/domain/tiles/location-columns.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { withFullScan } from './full-scan.ts';
import type { Mutant } from './mutant.ts';
import { wholeList } from './mutant.ts';

const breaking = (name: string, breaks: (good: Storage) => Pick<Storage, 'readColumns'>): Mutant => ({
  name,
  topic: 'columns of locations',
  breaks,
});

/** Changes all columns. */
const changing = (name: string, change: (columns: LocationColumns) => LocationColumns): Mutant =>
  breaking(name, (good) => ({
    async readColumns(query, scope) {
      const json = await good.readColumns(query, scope);
      if (json === null) return null;
      const columns = JSON.parse(new TextDecoder().decode(json)) as LocationColumns;
      return Buffer.from(JSON.stringify(change(columns)));
    },
  }));

export const columnMutants: readonly Mutant[] = [
  breaking('a range of cells does not hold its last cell', (good) => ({
    readColumns: ({ range: { first, last }, ...query }, scope) =>
      good.readColumns({ ...query, range: { first, last: last - 1 } }, scope),
  })),
  breaking('one location more than allowed is not too many for columns', (good) => ({
    readColumns: (query, scope) => good.readColumns({ ...query, limit: query.limit + 1 }, scope),
  })),
  breaking('no field is too large for columns', (good) => ({
    readColumns: (query, scope) => good.readColumns({ ...query, maxFieldBytes: Infinity }, scope),
  })),
  breaking('columns are read of a copy that is never renewed', (good) => {
    const lists = new Map<string, ReturnType<typeof wholeList>>();
    const listOf = (mapId: string) => {
      const known = lists.get(mapId) ?? wholeList(good, mapId);
      lists.set(mapId, known);
      return known;
    };
    return { readColumns: (query, scope) => withFullScan(good, { listOf }).readColumns(query, scope) };
  }),
  changing('columns have a thousand locations at most', ({ fields, ...columns }) => ({
    ids: columns.ids.slice(0, 1_000),
    names: columns.names.slice(0, 1_000),
    latitudes: columns.latitudes.slice(0, 1_000),
    longitudes: columns.longitudes.slice(0, 1_000),
    fields: fields.map((column) => column && { ...column, at: column.at.slice(0, 1_000) }),
  })),
  changing('columns hold coordinates to six decimals', ({ latitudes, ...columns }) => ({
    ...columns,
    latitudes: latitudes.map((degrees) => Math.round(degrees * 1e6) / 1e6),
  })),
];
