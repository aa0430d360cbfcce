/** The formats in which whole maps come in and go out. */

import { CSV } from './csv/format.ts';
import type { FormatDescriptor } from './format.ts';
import { GPX } from './gpx/format.ts';
import { GEOJSON, NDJSON } from './json/formats.ts';
import { KML } from './kml/format.ts';
import type { ExportWriter, WriterOptions } from './writer.ts';
import { PROPERTIES_WRITER } from './writer.ts';
import { XLSX } from './xlsx/format.ts';

/** In the order in which they are offered and recognized. */
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

/** What is exported, and how. Plain data: it is sent to threads. */
export interface ExportFormat extends WriterOptions {
  readonly format: MapFormat;
  /** For the look at the map that a format wants first. */
  readonly isSurvey?: boolean;
}

export function formatOf(name: MapFormat): FormatDescriptor {
  return FORMATS[name];
}

export function writerOf({ format, isSurvey = false, ...options }: ExportFormat): ExportWriter {
  return isSurvey ? PROPERTIES_WRITER : formatOf(format).writer(options);
}

/** What the extension of a path says; null where it says nothing. */
export function formatOfPath(path: string): MapFormat | null {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return MAP_FORMATS.find((name) => formatOf(name).extensions.includes(extension)) ?? null;
}
