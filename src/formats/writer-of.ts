import { csvWriter } from './csv-format.ts';
import type { ExportFormat, ExportWriter } from './export-format.ts';
import type { JsonWriter } from './json-formats.ts';
import { GEOJSON_WRITER, NDJSON_WRITER, publicWriter } from './json-formats.ts';

/** How the format is written (capabilities §11). */
export function writerOf(format: ExportFormat): ExportWriter {
  switch (format.format) {
    case 'geojson':
      return inView(GEOJSON_WRITER, format);
    case 'ndjson':
      return inView(NDJSON_WRITER, format);
    case 'csv':
      return csvWriter(format);
  }
}

function inView(writer: JsonWriter, { fields, isPublic = false }: ExportFormat): ExportWriter {
  return isPublic ? publicWriter(writer, new Set(fields)) : writer;
}
