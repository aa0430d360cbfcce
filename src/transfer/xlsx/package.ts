/** The parts of a workbook's archive, and their relationships. */

import { UnreadableFileError } from '../text/damage.ts';
import type { ZipArchive } from '../zip/reader.ts';
import type { Attributes, XmlHandler } from './xml.ts';
import { isDamage, localName, readWholeXml } from './xml.ts';

export interface Relationship {
  /** The last segment of its type: `worksheet`, `styles` and so on, in the transitional and the strict namespaces. */
  readonly type: string;
  /** The path of the part. */
  readonly path: string;
}

/** Per part. */
const MAX_RELATIONSHIPS = 10_000;

export class WorkbookPackage {
  readonly #archive: ZipArchive;
  /** File names by part path, which is case-insensitive. */
  readonly #names: ReadonlyMap<string, string>;

  constructor(archive: ZipArchive) {
    this.#archive = archive;
    this.#names = new Map(archive.names.map((name) => [keyOf(name), name]));
  }

  has(path: string): boolean {
    return this.#names.has(keyOf(path));
  }

  /** @throws UnreadableFileError if there is no such part */
  open(path: string): AsyncGenerator<Uint8Array, void, undefined> {
    const name = this.#names.get(keyOf(path));
    if (name === undefined) throw new UnreadableFileError(`The workbook has no part ${path}.`);
    return this.#archive.open(name);
  }

  /** @throws UnreadableFileError */
  async read(path: string, handler: XmlHandler): Promise<void> {
    try {
      await readWholeXml(this.open(path), handler);
    } catch (error) {
      throw isDamage(error) ? new UnreadableFileError(`The workbook's ${path}: ${error.message}.`) : error;
    }
  }

  /** @param path the part; empty for the package */
  async relationshipsOf(path: string): Promise<ReadonlyMap<string, Relationship>> {
    const found = new Map<string, Relationship>();
    const [folder, file] = splitPath(path);
    const relations = `${folder}_rels/${file}.rels`;
    if (!this.has(relations)) return found;
    await this.read(relations, {
      open: (name, attributes) => {
        if (name !== 'Relationship' || attributes['TargetMode'] === 'External') return;
        if (found.size === MAX_RELATIONSHIPS) {
          throw new UnreadableFileError(`The workbook's ${relations} has over ${MAX_RELATIONSHIPS} entries.`);
        }
        const { Id: id = '', Type: type = '', Target: target = '' } = attributes;
        found.set(id, { type: type.slice(type.lastIndexOf('/') + 1), path: resolve(folder, target) });
      },
    });
    return found;
  }
}

/** The value of an attribute with any prefix, e.g. `r:id`. */
export function prefixedAttribute(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((each) => each.includes(':') && localName(each) === name);
  return key === undefined ? undefined : attributes[key];
}

/** Some programs write backslashes. */
function keyOf(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();
}

function splitPath(path: string): readonly [folder: string, file: string] {
  const end = path.lastIndexOf('/') + 1;
  return [path.slice(0, end), path.slice(end)];
}

/** Resolves a target that is absolute or relative to its folder. */
function resolve(folder: string, target: string): string {
  const path = target.replaceAll('\\', '/');
  const steps: string[] = [];
  for (const step of (path.startsWith('/') ? path : folder + path).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}
