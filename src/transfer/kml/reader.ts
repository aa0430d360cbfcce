/** Reads KML: Placemarks become locations. */

import { quote } from '../../domain/text.ts';
import { ServiceError } from '../../errors.ts';
import { EXPORT_COLUMN, readExportTable } from '../columns/export-table.ts';
import type { Point } from '../columns/point.ts';
import { altitudeNote } from '../columns/point.ts';
import type { Message } from '../message.ts';
import { inRecord, message, RowError, rowError, untranslated } from '../message.ts';
import type { ByteSource, OpenFile, ReadOptions, RowValues } from '../reader.ts';
import { peek } from '../text/peek.ts';
import { escapeText } from '../xml/escape.ts';
import type { XmlFormat, XmlRow } from '../xml/file.ts';
import { openXmlFile } from '../xml/file.ts';
import { MAX_VALUES, tooManyValues } from '../xml/properties.ts';
import type { XmlElement, XmlParent, XmlRecord } from '../xml/records.ts';
import { childrenOf, TOO_LARGE, trimmedTextOf } from '../xml/records.ts';
import type { RejectedRecords } from '../xml/rejections.ts';
import { xmlRejections } from '../xml/rejections.ts';
import { isEscapedCell, unescapeCell } from './cells.ts';
import type { Placemark } from './placemark.ts';
import { KINDS, otherKindOf, pointOf, propertiesOf, readPlacemark } from './placemark.ts';

const NAMESPACE = /^https?:\/\/(?:www\.opengis\.net|earth\.google\.com|www\.google\.com)\/kml\/[0-9.x]+\/?$/;
const EXTENSIONS = /^https?:\/\/www\.google\.com\/kml\/ext\//;

/** The signature of zip archives. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** Elements to skip, including any Placemarks in them. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...['GroundOverlay', 'PhotoOverlay', 'ScreenOverlay', 'NetworkLinkControl', 'gx:Tour'],
]);
/** Maximum names or URLs in the notes. */
const MAX_LISTED = 20;

const REJECTED: RejectedRecords = {
  extension: 'kml',
  unit: 'Placemark',
  records: new Set(['Placemark']),
  container: 'ExtendedData',
  // Required by the schema.
  after: new Set([...KINDS].map((kind) => kind.replace('gx:', ''))),
  markupOf: (reason, prefix) =>
    `<${prefix}Data name="rejected"><${prefix}value>${reason}</${prefix}value></${prefix}Data>`,
  instead: '<Placemark></Placemark>',
  around: 'Document',
};

/** Reads KML and KMZ. @throws UnreadableFileError */
export async function openKml(source: ByteSource, options: ReadOptions): Promise<OpenFile<XmlRow>> {
  const { encoding = null } = options;
  const { isArchive, bytes } = await detectZip(source);
  if (!isArchive) return openXmlFile(bytes.stream(), encoding, kmlFormat());
  const { openKmz } = await import('./kmz.ts');
  const { kml, notes, close } = await openKmz(bytes, options);
  try {
    const file = await openXmlFile(kml, encoding, kmlFormat());
    return {
      ...file,
      notes: () => [...file.notes(), ...notes],
      close: async () => {
        await file.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function detectZip(
  source: ByteSource,
): Promise<{ readonly isArchive: boolean; readonly bytes: ByteSource }> {
  const { length } = ZIP;
  if (source.read !== null) return { isArchive: isZip(await source.read(0, length)), bytes: source };
  const { head, chunks } = await peek(source.stream(), length);
  return { isArchive: isZip(head), bytes: { ...source, stream: () => chunks } };
}

function kmlFormat(): XmlFormat {
  const notes = new KmlNotes();
  return {
    root: 'kml',
    label: 'KML',
    unit: 'Placemark',
    prefixOf: (namespace) => {
      if (namespace === '' || NAMESPACE.test(namespace)) return '';
      return EXTENSIONS.test(namespace) ? 'gx:' : null;
    },
    isRecord: (name, parent) =>
      name === 'Placemark' ||
      name === 'NetworkLink' ||
      SKIPPED.has(name) ||
      (name === 'name' && parent === 'Folder'),
    rowOf: (record, number) => {
      const { element, parents, source } = record;
      const { name } = element;
      if (name === 'name') {
        const folder = parents.at(-1);
        if (folder !== undefined) folder.label ??= trimmedTextOf(element);
      } else if (name === 'NetworkLink') notes.addLink(element);
      else if (name !== 'Placemark') notes.addSkipped(name);
      else return { values: readRow(record, number, notes), text: textOf(source, folderOf(parents)) };
      return null;
    },
    rejections: (root) => xmlRejections(root, REJECTED),
    notes: () => notes.messages(),
  };
}

function folderOf(parents: readonly XmlParent[]): string {
  return parents
    .flatMap(({ name, label }) => (name === 'Folder' && label !== null ? [label] : []))
    .join(' / ');
}

/** Wraps the Placemark in its Folder. */
function textOf(source: string | null, folder: string): string | null {
  if (source === null || folder === '') return source;
  const [, prefix = ''] = /^<([^\s:/>]+:)?/.exec(source) ?? [];
  const name = `<${prefix}name>${escapeText(folder)}</${prefix}name>`;
  return `<${prefix}Folder>${name}${source}</${prefix}Folder>`;
}

function readRow(
  { element, parents, isWhole }: XmlRecord,
  number: number,
  notes: KmlNotes,
): RowValues | ServiceError {
  const placemark = readPlacemark(element);
  const { name } = placemark;
  const shown = name === null ? `Placemark ${number}` : `Placemark ${number} ${quote(name)}`;
  const kind = otherKindOf(placemark);
  if (kind !== null) {
    const isOne = kind.startsWith('a ');
    const text = `${shown} ${isOne ? 'is' : 'has'} ${kind}; only a Point can become a location.`;
    if (!isOne) return new RowError(untranslated(text));
    return rowError('recordKind', text, { record: shown, kind: kind.slice('a '.length) });
  }
  if (!isWhole) return rowError('tooLarge', `${shown} ${TOO_LARGE}`, { record: shown });
  try {
    const point = pointOf(placemark, notes.onAltitude);
    if (placemark.data.length > MAX_VALUES) throw tooManyValues();
    const columns = placemark.data.map((datum) => datum.name);
    if (readExportTable(columns) !== null) return readExported(placemark, columns, point, notes);
    notes.addOthers(placemark.others);
    return {
      properties: propertiesOf(placemark, folderOf(parents)),
      point,
      recordId: element.attributes.id ?? null,
    };
  } catch (error) {
    if (error instanceof ServiceError) return inRecord(shown, error);
    throw error;
  }
}

/** A Placemark of an export: its ExtendedData have all values, except a Point that a user has moved on a map. */
function readExported(
  { data }: Placemark,
  columns: readonly string[],
  point: Point | null,
  notes: KmlNotes,
): RowValues {
  const fixed = Object.keys(EXPORT_COLUMN).length;
  const cells = data.map(({ value }, index) =>
    index < fixed && isEscapedCell(value) ? unescapeCell(value) : value,
  );
  const { lat, lng, placeId } = EXPORT_COLUMN;
  const isMoved =
    point !== null && (Number(cells[lat]) !== point.latitude || Number(cells[lng]) !== point.longitude);
  if (isMoved) {
    notes.onMoved();
    [cells[lat], cells[lng], cells[placeId]] = [String(point.latitude), String(point.longitude), ''];
  }
  return { columns, cells };
}

class KmlNotes {
  #altitudes = 0;
  #moved = 0;
  #links: Message[] = [];
  #unlisted = 0;
  readonly #skipped = new Map<string, number>();
  readonly #others = new Set<string>();

  readonly onAltitude = () => void (this.#altitudes += 1);
  readonly onMoved = () => void (this.#moved += 1);

  addLink(element: XmlElement): void {
    if (this.#links.length === MAX_LISTED) {
      this.#unlisted += 1;
      return;
    }
    const children = childrenOf(element);
    const link = children.find(({ name }) => name === 'Link' || name === 'Url');
    const href = link && childrenOf(link).find(({ name }) => name === 'href');
    const name = children.find((child) => child.name === 'name');
    const [title, address] = [name && trimmedTextOf(name), href && trimmedTextOf(href)];
    const url = address?.slice(0, 500) ?? 'nowhere';
    this.#links.push(
      title === undefined || title === null
        ? message('networkLink', `The NetworkLink to ${url} was not followed.`, { url })
        : message('networkLinkNamed', `The NetworkLink ${quote(title)} to ${url} was not followed.`, {
            name: title,
            url,
          }),
    );
  }

  addSkipped(name: string): void {
    this.#skipped.set(name, (this.#skipped.get(name) ?? 0) + 1);
  }

  addOthers(names: readonly string[]): void {
    for (const name of names) if (this.#others.size <= MAX_LISTED) this.#others.add(name);
  }

  messages(): readonly Message[] {
    const skipped = [...this.#skipped]
      .map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`)
      .join(', ');
    const others =
      [...this.#others].slice(0, MAX_LISTED).join(', ') + (this.#others.size > MAX_LISTED ? ', …' : '');
    return [
      ...altitudeNote(this.#altitudes),
      ...this.#links,
      ...(this.#unlisted === 0
        ? []
        : [
            message('moreLinks', `${this.#unlisted} more NetworkLinks were not followed.`, {
              count: this.#unlisted,
            }),
          ]),
      ...(skipped === ''
        ? []
        : [
            message('notPlacemarks', `Ignored, because they are not Placemarks: ${skipped}.`, {
              elements: skipped,
            }),
          ]),
      ...(others === ''
        ? []
        : [message('ignoredInPlacemarks', `Ignored in Placemarks: ${others}.`, { elements: others })]),
      ...movedNote(this.#moved),
    ];
  }
}

function movedNote(count: number): readonly Message[] {
  if (count === 0) return [];
  const [rows, points] =
    count === 1 ? ['1 Placemark', 'its Point was'] : [`${count} Placemarks`, 'their Points were'];
  const text = `In ${rows} of an export, lat and lng differ from the Point; ${points} used.`;
  return [message('movedPoints', text, { count })];
}

function isZip(head: Uint8Array): boolean {
  return ZIP.every((byte, index) => head[index] === byte);
}
