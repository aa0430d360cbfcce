/** The descriptor of a file format. Each format has one in its folder. */

import type { OpenReader } from './reader.ts';
import type { ExportWriter, WriterOptions } from './writer.ts';

export interface FormatDescriptor {
  readonly label: string;
  /** Completes "for …": `Google Earth and My Maps`. */
  readonly purpose: string;
  /** Without dots, in lower case. Exports use the first. */
  readonly extensions: readonly string[];
  readonly mediaType: string;
  /** The read options that apply to the format. */
  readonly readOptions: readonly ('encoding' | 'delimiter' | 'sheet')[];
  /** Recognizes a text file by its start. */
  readonly recognizesText?: (head: string) => boolean;
  /** Recognizes a zip archive by the names of its entries. */
  readonly recognizesArchive?: (names: readonly string[]) => boolean;
  readonly open: OpenReader;
  readonly writer: (options: WriterOptions) => ExportWriter;
  /** Maximum number of locations; absent for no limit. */
  readonly maxLocations?: number;
  /**
   * Reads the map before the export, as far as it needs, to complete the writer's options.
   *
   * @param properties the properties of each location as a line of JSON. Chunks end at line ends
   */
  readonly survey?: (options: WriterOptions, properties: AsyncIterable<Buffer>) => Promise<WriterOptions>;
  /** Packs the writer's output into the file. Chunks are cut between locations. */
  readonly pack?: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Uint8Array>;
}
