/** Import and export formats, as the pages offer them. */

import type { MapFormat } from '../transfer/formats.ts';
import { formatOf, MAP_FORMATS } from '../transfer/formats.ts';

/** An export that a page offers. Part of the page's configuration, so plain data. */
export interface ExportChoice {
  readonly label: string;
  /** Extension of the URL path and of the file. */
  readonly extension: MapFormat;
  /** Query of the URL; empty for none. */
  readonly query: string;
  /** Whether the URL accepts a delimiter. */
  readonly hasDelimiter: boolean;
  /** Whether it is written so that Excel opens it as it is. */
  readonly isForExcel: boolean;
}

/** Delimited text is offered twice: for programs, and for spreadsheets. */
export function exportChoices(): readonly ExportChoice[] {
  return MAP_FORMATS.flatMap((extension) => {
    const { label, readOptions } = formatOf(extension);
    const hasDelimiter = readOptions.includes('delimiter');
    const choice = { label, extension, query: '', hasDelimiter, isForExcel: false };
    if (!hasDelimiter) return [choice];
    return [choice, { ...choice, query: 'for=spreadsheet', isForExcel: true }];
  });
}

export interface ImportFormats {
  readonly labels: readonly string[];
  /** Without dots. */
  readonly extensions: readonly string[];
}

export function importFormats(): ImportFormats {
  const formats = MAP_FORMATS.map(formatOf);
  return {
    labels: formats.map(({ label }) => label),
    extensions: formats.flatMap(({ extensions }) => extensions),
  };
}
