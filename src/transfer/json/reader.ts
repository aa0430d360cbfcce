/**
 * Reads JSON, and detects its structure: a FeatureCollection, an array, a record per line, a sequence (RFC 8142) or a
 * single record.
 */

import { quote } from '../../domain/text.ts';
import type { ByteSource, OpenFile, ReadOptions } from '../reader.ts';
import { altitudeNote } from '../columns/point.ts';
import type { Message } from '../message.ts';
import { message } from '../message.ts';
import { GEOJSON_REJECTIONS, NDJSON_REJECTIONS } from '../rejected-rows.ts';
import { UnreadableFileError } from '../text/damage.ts';
import { decodeText } from '../text/decode.ts';
import { peek, startingWith } from '../text/peek.ts';
import { readFeatures } from './features.ts';
import type { JsonRecord } from './json-lines.ts';
import { readJsonLines } from './json-lines.ts';
import { LargeIntegers } from './large-integers.ts';
import { readJsonRecord } from './records.ts';
import { readSequence, readSingle } from './sequence.ts';
import type { JsonStructure } from './structure.ts';
import { HEAD_BYTES, structureOf } from './structure.ts';

const READERS: Readonly<
  Record<JsonStructure, (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<JsonRecord, void, undefined>>
> = {
  collection: readFeatures,
  lines: readJsonLines,
  sequence: readSequence,
  single: readSingle,
};

/** For a file that does not start like JSON, so that the error says what is missing. */
const FALLBACK = { geojson: 'collection', ndjson: 'lines' } as const;

/** Maximum members in a note. */
const MAX_LISTED = 20;

export async function openJson(
  format: keyof typeof FALLBACK,
  source: ByteSource,
  { encoding = null }: ReadOptions,
): Promise<OpenFile<JsonRecord>> {
  const { head, chunks } = await peek(decodeText(source.stream(), encoding), HEAD_BYTES);
  const structure = structureOf(head.toString()) ?? FALLBACK[format];
  const records = READERS[structure](chunks);
  // Reads the first record, so that an unreadable file fails when it is opened.
  const first = await records.next().catch((error: unknown) => error as Error);
  if (first instanceof UnreadableFileError) {
    await chunks.return();
    throw first;
  }
  const largeIntegers = new LargeIntegers();
  let altitudes = 0;
  const leftOut = new Set<string>();
  const notes = {
    largeIntegers,
    onAltitude: () => void (altitudes += 1),
    onLeftOut: (member: string) => {
      if (leftOut.size <= MAX_LISTED) leftOut.add(member);
    },
  };
  return {
    columns: null,
    rows: startingWith(first, records),
    unit: structure === 'collection' ? 'Feature' : 'line',
    valuesOf: (record) => readJsonRecord(record, notes),
    contentOf: ({ text }) => ({ text }),
    rejections: structure === 'collection' ? GEOJSON_REJECTIONS : NDJSON_REJECTIONS,
    notes: () => [...altitudeNote(altitudes), ...largeIntegers.notes(), ...leftOutNote([...leftOut])],
    close: async () => {
      await records.return();
      await chunks.return();
    },
  };
}

function leftOutNote(members: readonly string[]): readonly Message[] {
  if (members.length === 0) return [];
  const listed =
    members.slice(0, MAX_LISTED).map(quote).join(', ') + (members.length > MAX_LISTED ? ', …' : '');
  const text = `Ignored, because they are outside the properties: ${listed}.`;
  return [message('leftOut', text, { members: members.slice(0, MAX_LISTED) })];
}
