/** Import and export formats, as the pages offer them. */

import type { MapFormat } from '../transfer/formats.ts';
import { formatOf, MAP_FORMATS } from '../transfer/formats.ts';

/** An export that a page offers. Part of the page's configuration, so plain data. */
export interface ExportChoice {
  readonly label: string;
  /** Completes “for …”. */
  readonly purpose: string;
  /** Extension of the URL path and of the file. */
  readonly extension: MapFormat;
  /** Query of the URL; empty for none. */
  readonly query: string;
  /** Whether the URL accepts a delimiter. */
  readonly hasDelimiter: boolean;
}

/** Delimited text is offered twice: for programs, and for spreadsheets. */
export function exportChoices(): readonly ExportChoice[] {
  return MAP_FORMATS.flatMap((extension) => {
    const { label, purpose, readOptions } = formatOf(extension);
    const hasDelimiter = readOptions.includes('delimiter');
    const choice = { label, purpose, extension, query: '', hasDelimiter };
    if (!hasDelimiter) return [choice];
    const forExcel = {
      label: `${label} for Excel`,
      purpose: 'spreadsheets',
      query: 'for=spreadsheet',
    };
    return [choice, { ...choice, ...forExcel }];
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
