import type { FormatDescriptor } from '../format.ts';
import { MAX_ROWS } from './limits.ts';
import { countMoreColumns, xlsxWriter } from './writer.ts';

export const XLSX: FormatDescriptor = {
  label: 'XLSX',
  purpose: 'Excel and other spreadsheets',
  extensions: ['xlsx', 'xlsm'],
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  readOptions: ['sheet'],
  recognizesArchive: (names) => names.some((name) => /(^|[/\\])workbook\.xml$/i.test(name)),
  open: async (source, options) => (await import('./reader.ts')).openXlsx(source, options),
  writer: xlsxWriter,
  // One row is the header.
  maxLocations: MAX_ROWS - 1,
  survey: async (options, properties) => ({
    ...options,
    moreColumns: await countMoreColumns(options, properties),
  }),
  async *pack(chunks) {
    const { packWorkbook } = await import('./pack.ts');
    yield* packWorkbook(chunks);
  },
};
