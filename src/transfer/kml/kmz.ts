/** The KML file of a KMZ archive. Images and whatever else is in it are left out. */

import { quote } from '../../domain/text.ts';
import type { ByteSource, ReadOptions } from '../reader.ts';
import { UnreadableFileError } from '../text/damage.ts';
import { TextDamage } from '../text/lines.ts';
import { ArchiveDamage, MAX_EXPANDED_BYTES, openZip } from '../zip/reader.ts';

export interface OpenKmz {
  readonly kml: AsyncGenerator<Uint8Array, void, undefined>;
  /** What was left out, as sentences. */
  readonly note: readonly string[];
  readonly close: () => Promise<void>;
}

/** Names that an error lists. */
const LISTED = 5;

/** @throws UnreadableFileError */
export async function openKmz(
  source: ByteSource,
  { maxExpandedBytes = MAX_EXPANDED_BYTES }: ReadOptions,
): Promise<OpenKmz> {
  const archive = await openZip(source, { maxExpandedBytes });
  try {
    const chosen = chooseFile(archive.names);
    const bytes = archive.open(chosen);
    // What cannot be unpacked at all is said before anything is begun.
    const first = await bytes.next().catch((error: unknown) => error as Error);
    if (first instanceof UnreadableFileError) throw first;
    return {
      kml: startingWith(first, bytes),
      note: leftOut(archive.names.length - 1, chosen),
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

/** `doc.kml`, else the first one at the root, else the only one. @throws UnreadableFileError */
function chooseFile(names: readonly string[]): string {
  const all = names.filter((name) => /\.kml$/i.test(name));
  const atRoot = all.filter((name) => !/[\\/]/.test(name));
  const chosen = atRoot.find((name) => name.toLowerCase() === 'doc.kml') ?? atRoot[0] ?? all[0];
  if (chosen === undefined) throw new UnreadableFileError('The archive holds no KML file.');
  if (atRoot.length > 0 || all.length === 1) return chosen;
  const listed = all.slice(0, LISTED).map(quote).join(', ') + (all.length > LISTED ? ', …' : '');
  throw new UnreadableFileError(
    `The archive holds several KML files and none of them at its root: ${listed}. Unpack it, and import each.`,
  );
}

async function* startingWith(
  first: IteratorResult<Uint8Array, void> | Error,
  rest: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (first instanceof Error) throw first;
    if (first.done) return;
    yield first.value;
    yield* rest;
  } catch (error) {
    if (error instanceof ArchiveDamage) throw new TextDamage(error.message, { isEncoding: false });
    throw error;
  } finally {
    await rest.return();
  }
}

function leftOut(count: number, chosen: string): readonly string[] {
  if (count === 0) return [];
  const files = count === 1 ? '1 file' : `${count} files`;
  return [`Of the archive ${quote(chosen)} was read; ${files} beside it, such as images, were left out.`];
}
