/** What a file format is to an import and an export. Each format describes itself so in its folder. */

import type { ByteSource, OpenFile, ReadOptions } from './reader.ts';
import type { ExportWriter, WriterOptions } from './writer.ts';

export interface FormatDescriptor {
  /** As people call it. */
  readonly label: string;
  /** What it is for, in a few words: `Google Earth and My Maps`. */
  readonly purpose: string;
  /** Without their dots, in lower case; the first one is that of exports. */
  readonly extensions: readonly string[];
  readonly mediaType: string;
  /** Whether a text file is of this format, by the beginning of its text. */
  readonly recognizesText?: (head: string) => boolean;
  /** Whether a zip archive is of this format, by the names of its entries. */
  readonly recognizesArchive?: (names: readonly string[]) => boolean;
  /** Reads as far as the first row. @throws UnreadableFileError where nothing can be read */
  readonly open: (source: ByteSource, options: ReadOptions) => Promise<OpenFile>;
  readonly writer: (options: WriterOptions) => ExportWriter;
}
