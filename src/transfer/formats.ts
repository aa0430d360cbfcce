/** The registry of import and export formats. */

import { CSV } from './csv/format.ts';
import type { FormatDescriptor } from './format.ts';
import { GPX } from './gpx/format.ts';
import { GEOJSON, NDJSON } from './json/formats.ts';
import { KML } from './kml/format.ts';
import type { ExportWriter, WriterOptions } from './writer.ts';
import { PROPERTIES_WRITER } from './writer.ts';
import { XLSX } from './xlsx/format.ts';

/** In the order in which they are offered and tried. */
const FORMATS = {
  csv: CSV,
  xlsx: XLSX,
  geojson: GEOJSON,
  ndjson: NDJSON,
  kml: KML,
  gpx: GPX,
} as const satisfies Readonly<Record<string, FormatDescriptor>>;

export type MapFormat = keyof typeof FORMATS;
export const MAP_FORMATS = Object.keys(FORMATS) as readonly MapFormat[];

/** The format of an export and its options. Plain data, because it is sent to threads. */
export interface ExportFormat extends WriterOptions {
  readonly format: MapFormat;
  /** Writes only the properties, for {@link FormatDescriptor.survey}. */
  readonly isSurvey?: boolean;
}

export function formatOf(name: MapFormat): FormatDescriptor {
  return FORMATS[name];
}

export function writerOf({ format, isSurvey = false, ...options }: ExportFormat): ExportWriter {
  return isSurvey ? PROPERTIES_WRITER : formatOf(format).writer(options);
}

/** The format of the path's extension; null if it is unknown. */
export function formatOfPath(path: string): MapFormat | null {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return MAP_FORMATS.find((name) => formatOf(name).extensions.includes(extension)) ?? null;
}
