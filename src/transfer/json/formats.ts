import type { FormatDescriptor } from '../format.ts';
import { geojsonWriter, inView, NDJSON_WRITER } from './writers.ts';
import { holdsFeatures, structureOf } from './structure.ts';

export const GEOJSON: FormatDescriptor = {
  label: 'GeoJSON',
  purpose: 'maps and geographic programs',
  extensions: ['geojson', 'json', 'geojsonl', 'geojsons'],
  mediaType: 'application/geo+json',
  readOptions: ['encoding'],
  recognizesText: (head) => structureOf(head) !== null && holdsFeatures(head),
  open: async (source, options) => (await import('./reader.ts')).openJson('geojson', source, options),
  writer: geojsonWriter,
};

export const NDJSON: FormatDescriptor = {
  label: 'NDJSON',
  purpose: 'programs',
  extensions: ['ndjson', 'jsonl'],
  mediaType: 'application/x-ndjson',
  readOptions: ['encoding'],
  recognizesText: (head) => structureOf(head) !== null,
  open: async (source, options) => (await import('./reader.ts')).openJson('ndjson', source, options),
  writer: (options) => inView(NDJSON_WRITER, options),
};
