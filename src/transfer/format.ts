/** What a file format is to an import and an export. Each format describes itself so in its folder. */

import type { OpenReader } from './reader.ts';
import type { ExportWriter, WriterOptions } from './writer.ts';

export interface FormatDescriptor {
  /** As people call it. */
  readonly label: string;
  /** What it is for, in a few words: `Google Earth and My Maps`. */
  readonly purpose: string;
  /** Without their dots, in lower case; the first one is that of exports. */
  readonly extensions: readonly string[];
  readonly mediaType: string;
  /** Which options of reading concern the format. */
  readonly readOptions: readonly ('encoding' | 'delimiter' | 'sheet')[];
  /** Whether a text file is of this format, by the beginning of its text. */
  readonly recognizesText?: (head: string) => boolean;
  /** Whether a zip archive is of this format, by the names of its entries. */
  readonly recognizesArchive?: (names: readonly string[]) => boolean;
  readonly open: OpenReader;
  readonly writer: (options: WriterOptions) => ExportWriter;
  /** The most locations that a file of this format holds; absent where there is no such limit. */
  readonly maxLocations?: number;
  /**
   * Completes the writer's options by a look at the whole map, before anything is written.
   *
   * @param properties the JSON of the properties of each location, on a line of its own. Chunks end where lines end
   */
  readonly survey?: (options: WriterOptions, properties: AsyncIterable<Buffer>) => Promise<WriterOptions>;
  /** Makes the file of what the writer writes, whose chunks are cut between locations. */
  readonly pack?: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Uint8Array>;
}
