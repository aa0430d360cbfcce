/** What the pages say of the formats in which whole maps come in and go out. */

import type { MapFormat } from '../transfer/formats.ts';
import { formatOf, MAP_FORMATS } from '../transfer/formats.ts';

/** A way to export a map. Plain data: it stands in the configuration of a page. */
export interface ExportChoice {
  readonly label: string;
  /** What it is for, in a few words. */
  readonly purpose: string;
  /** The extension of the export's path and of its file. */
  readonly extension: MapFormat;
  /** Of the export's URL; empty for none. */
  readonly query: string;
  /** Whether the URL takes a delimiter. */
  readonly hasDelimiter: boolean;
}

/** A format of delimited text is offered twice: as programs read it, and as a spreadsheet opens it rightly. */
export function exportChoices(): readonly ExportChoice[] {
  return MAP_FORMATS.flatMap((extension) => {
    const { label, purpose, readOptions } = formatOf(extension);
    const hasDelimiter = readOptions.includes('delimiter');
    const choice = { label, purpose, extension, query: '', hasDelimiter };
    if (!hasDelimiter) return [choice];
    const forExcel = {
      label: `${label} for Excel`,
      purpose: 'reading in a spreadsheet',
      query: 'for=spreadsheet',
    };
    return [choice, { ...choice, ...forExcel }];
  });
}

export interface ImportFormats {
  readonly labels: readonly string[];
  /** Without their dots. */
  readonly extensions: readonly string[];
}

export function importFormats(): ImportFormats {
  const formats = MAP_FORMATS.map(formatOf);
  return {
    labels: formats.map(({ label }) => label),
    extensions: formats.flatMap(({ extensions }) => extensions),
  };
}
