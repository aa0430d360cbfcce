import type { FormatDescriptor } from '../format.ts';
import { csvWriter } from './writer.ts';

/** The fallback for text that no other format recognizes. */
export const CSV: FormatDescriptor = {
  label: 'CSV',
  purpose: 'spreadsheets and databases',
  extensions: ['csv', 'tsv'],
  mediaType: 'text/csv; charset=utf-8',
  readOptions: ['encoding', 'delimiter'],
  open: async (source, options) => (await import('./reader.ts')).openCsvFile(source, options),
  writer: csvWriter,
};
