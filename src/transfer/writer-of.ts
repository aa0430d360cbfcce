import { csvWriter } from './csv/writer.ts';
import type { ExportFormat, ExportWriter } from './writer.ts';
import type { JsonWriter } from './json/writers.ts';
import { GEOJSON_WRITER, NDJSON_WRITER, publicWriter } from './json/writers.ts';

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
