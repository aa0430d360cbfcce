/** The formats in which whole maps come in and go out. */

import { CSV } from './csv/format.ts';
import type { FormatDescriptor } from './format.ts';
import { GEOJSON, NDJSON } from './json/formats.ts';
import type { ExportWriter, WriterOptions } from './writer.ts';

/** In the order in which they are offered and recognized. */
const FORMATS = {
  csv: CSV,
  geojson: GEOJSON,
  ndjson: NDJSON,
} as const satisfies Readonly<Record<string, FormatDescriptor>>;

export type MapFormat = keyof typeof FORMATS;
export const MAP_FORMATS = Object.keys(FORMATS) as readonly MapFormat[];

/** What is exported, and how. Plain data: it is sent to threads. */
export interface ExportFormat extends WriterOptions {
  readonly format: MapFormat;
}

export function formatOf(name: MapFormat): FormatDescriptor {
  return FORMATS[name];
}

export function writerOf({ format, ...options }: ExportFormat): ExportWriter {
  return formatOf(format).writer(options);
}

/** What the extension of a path says; null where it says nothing. */
export function formatOfPath(path: string): MapFormat | null {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return MAP_FORMATS.find((name) => formatOf(name).extensions.includes(extension)) ?? null;
}
