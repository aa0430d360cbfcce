/** Reads GPX: waypoints become locations. */

import { quote } from '../../domain/text.ts';
import { ServiceError } from '../../errors.ts';
import type { Point } from '../columns/point.ts';
import { readPoint } from '../columns/point.ts';
import { inRecord, rowError } from '../message.ts';
import type { ByteSource, OpenFile, ReadOptions, RowValues } from '../reader.ts';
import type { XmlFormat, XmlRow } from '../xml/file.ts';
import { openXmlFile } from '../xml/file.ts';
import { Properties } from '../xml/properties.ts';
import type { XmlElement, XmlRecord } from '../xml/records.ts';
import { childrenOf, TOO_LARGE, trimmedTextOf } from '../xml/records.ts';
import type { RejectedRecords } from '../xml/rejections.ts';
import { isReason, xmlRejections } from '../xml/rejections.ts';

const NAMESPACE = /^https?:\/\/www\.topografix\.com\/GPX\//i;
/** Names of records in messages. */
const KINDS: Readonly<Record<string, string>> = { wpt: 'waypoint', rte: 'route', trk: 'track' };

const REJECTED: RejectedRecords = {
  extension: 'gpx',
  unit: 'waypoint',
  records: new Set(Object.keys(KINDS)),
  container: 'extensions',
  // Required by the schema.
  after: new Set(['rtept', 'trkseg']),
  markupOf: (reason, prefix) => `<${prefix}rejected>${reason}</${prefix}rejected>`,
  instead: '<wpt></wpt>',
  around: null,
};

/** @throws UnreadableFileError */
export async function openGpx(
  source: ByteSource,
  { encoding = null }: ReadOptions,
): Promise<OpenFile<XmlRow>> {
  return openXmlFile(source.stream(), encoding, GPX_FILE);
}

const GPX_FILE: XmlFormat = {
  root: 'gpx',
  label: 'GPX',
  unit: 'waypoint',
  prefixOf: (namespace) => (namespace === '' || NAMESPACE.test(namespace) ? '' : null),
  isRecord: (name, parent) => parent === 'gpx' && Object.hasOwn(KINDS, name),
  rowOf: (record, number) => ({ values: readRow(record, number), text: record.source }),
  rejections: (root) => xmlRejections(root, REJECTED),
  notes: () => [],
};

function readRow({ element, isWhole }: XmlRecord, number: number): RowValues | ServiceError {
  const kind = KINDS[element.name] ?? '';
  const named = childrenOf(element).find(({ name }) => name === 'name');
  const name = named === undefined ? null : trimmedTextOf(named);
  const shown = name === null ? String(number) : `${number} ${quote(name)}`;
  if (kind !== 'waypoint') {
    const text = `Record ${shown} is a ${kind}; only a waypoint can become a location.`;
    return rowError('gpxKind', text, { record: shown, kind });
  }
  if (!isWhole) return rowError('tooLarge', `Waypoint ${shown} ${TOO_LARGE}`, { record: shown });
  try {
    return { properties: propertiesOf(element), point: pointOf(element) };
  } catch (error) {
    if (error instanceof ServiceError) return inRecord(`Waypoint ${shown}`, error);
    throw error;
  }
}

/** @throws ServiceError BAD_USER_INPUT */
function pointOf({ attributes }: XmlElement): Point {
  const { lat = '', lon = '' } = attributes;
  const point = readPoint(lat, lon, { latitude: 'lat', longitude: 'lon' });
  if (point === null) throw rowError('noCoordinates', 'lat and lon are missing.');
  return point;
}

function propertiesOf(waypoint: XmlElement): ReturnType<Properties['toObject']> {
  const properties = new Properties();
  const add = (element: XmlElement) => {
    const children = childrenOf(element);
    const local = element.name.slice(element.name.indexOf(':') + 1);
    if (element.name === 'link' && element.attributes.href !== undefined) {
      properties.add('link', element.attributes.href.trim() || null);
    } else if (children.length > 0) {
      // Extensions nest elements; the innermost ones hold the values.
      for (const child of children) add(child);
    } else {
      const text = trimmedTextOf(element);
      if (local !== 'rejected' || text === null || !isReason(text)) properties.add(local, text);
    }
  };
  for (const child of childrenOf(waypoint)) add(child);
  return properties.toObject();
}
