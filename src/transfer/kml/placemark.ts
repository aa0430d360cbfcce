/** Reads the values and the point of a Placemark. */

import { MAX_SHOWN, rowError } from '../message.ts';
import { quote } from '../../domain/text.ts';
import type { Point } from '../columns/point.ts';
import { Properties } from '../xml/properties.ts';
import type { XmlElement } from '../xml/records.ts';
import { childrenOf, textOf, trimmedTextOf } from '../xml/records.ts';
import { isReason } from '../xml/rejections.ts';

export const KINDS: ReadonlySet<string> = new Set([
  ...['Point', 'LineString', 'LinearRing', 'Polygon', 'MultiGeometry', 'Model'],
  ...['gx:Track', 'gx:MultiTrack'],
]);
/** Elements whose text is a property of the same name. */
const TEXTS: ReadonlySet<string> = new Set(['name', 'address', 'description', 'phoneNumber']);

/** A value of ExtendedData. */
export interface Datum {
  readonly name: string;
  readonly value: string;
}

export interface Placemark {
  readonly name: string | null;
  /** In file order. */
  readonly texts: readonly XmlElement[];
  readonly data: readonly Datum[];
  readonly geometries: readonly XmlElement[];
  /** Names of ignored elements. */
  readonly others: readonly string[];
}

export function readPlacemark(element: XmlElement): Placemark {
  const texts: XmlElement[] = [];
  const data: Datum[] = [];
  const geometries: XmlElement[] = [];
  const others: string[] = [];
  for (const child of childrenOf(element)) {
    if (TEXTS.has(child.name)) texts.push(child);
    else if (KINDS.has(child.name)) geometries.push(child);
    else if (child.name === 'ExtendedData') readData(child, data, others);
    else others.push(child.name);
  }
  const name = texts.find((text) => text.name === 'name');
  return { name: name === undefined ? null : trimmedTextOf(name), texts, data, geometries, others };
}

function readData(extended: XmlElement, data: Datum[], others: string[]): void {
  const add = (name: string, value: string) => {
    if (name !== 'rejected' || !isReason(value)) data.push({ name, value });
  };
  for (const child of childrenOf(extended)) {
    if (child.name === 'Data') {
      const value = childrenOf(child).find(({ name }) => name === 'value');
      add(child.attributes.name ?? '', value === undefined ? '' : textOf(value));
    } else if (child.name === 'SchemaData') {
      for (const simple of childrenOf(child)) {
        if (simple.name === 'SimpleData') add(simple.attributes.name ?? '', textOf(simple));
        else others.push(simple.name);
      }
    } else if (childrenOf(child).length === 0) {
      // Data of another namespace are named by their elements.
      add(child.name.slice(child.name.indexOf(':') + 1), textOf(child));
    } else others.push(child.name);
  }
}

export function propertiesOf({ texts, data }: Placemark, folder: string): ReturnType<Properties['toObject']> {
  const properties = new Properties();
  for (const text of texts) properties.add(text.name, trimmedTextOf(text));
  for (const { name, value } of data) properties.add(name, trimmed(value));
  properties.add('Folder', folder === '' ? null : folder);
  return properties.toObject();
}

function trimmed(value: string): string | null {
  const text = value.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  return text === '' ? null : text;
}

/** The only geometry, also within a MultiGeometry; a description if there are several; null for none. */
function singleGeometry(geometries: readonly XmlElement[]): XmlElement | string | null {
  const [first, second] = geometries;
  if (first === undefined) return null;
  if (second !== undefined) return `${geometries.length} geometries`;
  if (first.name !== 'MultiGeometry') return first;
  const inner = childrenOf(first).filter(({ name }) => KINDS.has(name));
  return inner.length > 1 ? 'a MultiGeometry' : singleGeometry(inner);
}

/** The geometry of a Placemark if it is not a Point, e.g. `a LineString`; null for a Point or none. */
export function otherKindOf({ geometries }: Placemark): string | null {
  const geometry = singleGeometry(geometries);
  if (geometry === null || typeof geometry === 'string') return geometry;
  return geometry.name === 'Point' ? null : `a ${geometry.name}`;
}

const NUMBER = '[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?';
/** `longitude,latitude,altitude`, often with white space, although that is invalid. */
const COORDINATES = new RegExp(`^(${NUMBER})\\s*,\\s*(${NUMBER})(\\s*,\\s*(?:${NUMBER})?)?$`);

/**
 * @param onAltitude called if an altitude is dropped
 * @returns null for no Point, or an empty one
 * @throws ServiceError BAD_USER_INPUT
 */
export function pointOf({ geometries }: Placemark, onAltitude: () => void): Point | null {
  const geometry = singleGeometry(geometries);
  if (geometry === null || typeof geometry === 'string') return null;
  const coordinates = childrenOf(geometry).find(({ name }) => name === 'coordinates');
  const text = coordinates === undefined ? null : trimmedTextOf(coordinates);
  if (text === null) return null;
  const [, longitude, latitude, altitude = ''] = COORDINATES.exec(text) ?? [];
  if (longitude === undefined) {
    throw rowError(
      'kmlCoordinates',
      `The coordinates must be "longitude,latitude" or "longitude,latitude,altitude", in degrees, not ${quote(text)}.`,
      { value: text.slice(0, MAX_SHOWN) },
    );
  }
  if (/[0-9]/.test(altitude)) onAltitude();
  return { latitude: Number(latitude), longitude: Number(longitude) };
}
