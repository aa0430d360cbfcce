import { csvWriter } from './csv-format.ts';
import type { ExportFormat, ExportWriter } from './export-format.ts';
import { GEOJSON_WRITER, NDJSON_WRITER } from './json-formats.ts';

/** How the format is written (capabilities §11). */
export function writerOf(format: ExportFormat): ExportWriter {
  switch (format.format) {
    case 'geojson':
      return GEOJSON_WRITER;
    case 'ndjson':
      return NDJSON_WRITER;
    case 'csv':
      return csvWriter(format);
  }
}
