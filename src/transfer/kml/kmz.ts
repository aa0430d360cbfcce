/** Opens the KML file of a KMZ archive. Ignores images and other files. */

import { quote } from '../../domain/text.ts';
import type { Message } from '../message.ts';
import { message } from '../message.ts';
import type { ByteSource, ReadOptions } from '../reader.ts';
import { UnreadableFileError } from '../text/damage.ts';
import { TextDamage } from '../text/lines.ts';
import { startingWith } from '../text/peek.ts';
import { ArchiveDamage, MAX_EXPANDED_BYTES, openZip } from '../zip/reader.ts';

export interface OpenKmz {
  readonly kml: AsyncGenerator<Uint8Array, void, undefined>;
  /** Sentences about ignored files. */
  readonly notes: readonly Message[];
  readonly close: () => Promise<void>;
}

/** Maximum names in a message. */
const MAX_LISTED = 5;

/** @throws UnreadableFileError */
export async function openKmz(
  source: ByteSource,
  { maxExpandedBytes = MAX_EXPANDED_BYTES }: ReadOptions,
): Promise<OpenKmz> {
  const archive = await openZip(source, { maxExpandedBytes });
  try {
    const chosen = chooseFile(archive.names);
    const bytes = archive.open(chosen);
    // Reads the first bytes, so that an archive that cannot be unpacked fails when it is opened.
    const first = await bytes.next().catch((error: unknown) => error as Error);
    if (first instanceof UnreadableFileError) throw first;
    return {
      kml: asText(startingWith(first, bytes)),
      notes: notesOn(archive.names, chosen),
      close: async () => {
        await bytes.return();
        await archive.close();
      },
    };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

/** Chooses `doc.kml`, else the first KML file at the root, else the only one. @throws UnreadableFileError */
function chooseFile(names: readonly string[]): string {
  const all = names.filter(isKml);
  const atRoot = all.filter((name) => !/[\\/]/.test(name));
  const chosen = atRoot.find((name) => name.toLowerCase() === 'doc.kml') ?? atRoot[0] ?? all[0];
  if (chosen === undefined)
    throw new UnreadableFileError([message('noKml', 'The archive contains no KML file.')]);
  if (atRoot.length > 0 || all.length === 1) return chosen;
  const text = `The archive contains several KML files, none of them at its root: ${listed(all)}. Unpack it, and import each.`;
  throw new UnreadableFileError([message('severalKml', text, { files: all.slice(0, MAX_LISTED) })]);
}

/** Reports damage of the archive as damage of the text. */
async function* asText(bytes: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* bytes;
  } catch (error) {
    if (error instanceof ArchiveDamage) throw new TextDamage(error.message, { isEncoding: false });
    throw error;
  }
}

/** Names the other KML files, because they may contain locations. */
function notesOn(names: readonly string[], chosen: string): readonly Message[] {
  const left = names.filter((name) => name !== chosen);
  const others = left.filter(isKml);
  const count = left.length - others.length;
  const files =
    count === 1 ? '1 other file, such as an image, was' : `${count} other files, such as images, were`;
  return [
    ...(count === 0
      ? []
      : [
          message('archiveRest', `Only ${quote(chosen)} of the archive was read; ${files} ignored.`, {
            file: chosen,
            count,
          }),
        ]),
    ...(others.length === 0
      ? []
      : [
          message(
            'otherKmlFiles',
            `Other KML files of the archive were not read: ${listed(others)}. Unpack it, and import each.`,
            { files: others.slice(0, MAX_LISTED) },
          ),
        ]),
  ];
}

function isKml(name: string): boolean {
  return /\.kml$/i.test(name);
}

function listed(names: readonly string[]): string {
  return names.slice(0, MAX_LISTED).map(quote).join(', ') + (names.length > MAX_LISTED ? ', …' : '');
}
