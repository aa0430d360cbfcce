/** Writes a map as waypoints of GPX 1.1. Omits characters that XML forbids. */

import type { JsonObject, JsonValue } from '../../domain/json/json.ts';
import type { Attribution } from '../../domain/attribution.ts';
import { attributionText } from '../../domain/attribution.ts';
import { publicLine } from '../columns/export-cells.ts';
import type { ExportWriter, LineSource, WriterOptions } from '../writer.ts';
import { escapeAttribute, escapeText, withoutForbidden } from '../xml/escape.ts';

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<gpx version="1.1" creator="Map Locations" xmlns="http://www.topografix.com/GPX/1/1">\n';

const ANY = /^/;
/** The children of a waypoint that properties of these names fill, in schema order, with the allowed values. */
const ELEMENTS: readonly (readonly [name: string, value: RegExp])[] = [
  ['ele', /^[+-]?(?:\d+\.?\d*|\.\d+)$/],
  ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/],
  ['name', ANY],
  ['cmt', ANY],
  ['desc', ANY],
  ['src', ANY],
  ['sym', ANY],
  ['type', ANY],
];

export function gpxWriter({ fields, isPublic = false, attributions = [] }: WriterOptions): ExportWriter {
  const visible = new Set(fields);
  return {
    kind: 'lines',
    hasNames: true,
    head: HEAD + copyrightOf(attributions),
    lead: '',
    tail: '</gpx>\n',
    lineOf: (source) => waypointOf(isPublic ? publicLine(source, visible) : source, fields),
  };
}

/** GPX allows one copyright, with one author and one license. */
function copyrightOf(attributions: readonly Attribution[]): string {
  const [first, ...others] = attributions;
  if (first === undefined) return '';
  const copyright =
    others.length === 0 && first.url !== null
      ? `<copyright author="${escapeAttribute(first.text)}"><license>${escapeText(first.url)}</license></copyright>`
      : `<copyright author="${escapeAttribute(attributionText(attributions))}"/>`;
  return `<metadata>${copyright}</metadata>\n`;
}

function waypointOf({ lat, lng, name, properties }: LineSource, fields: readonly string[]): string {
  const values = JSON.parse(properties) as JsonObject;
  const elements = new Map<string, string>();
  for (const [element, allowed] of ELEMENTS) {
    const text = textOf(values, element);
    if (text !== '' && allowed.test(text)) elements.set(element, text);
  }
  elements.set('name', withoutForbidden(name));
  const lines = fields.flatMap((field) => {
    const text = textOf(values, field);
    const isRedundant = text === '' || text === elements.get(field) || text === elements.get('name');
    return isRedundant ? [] : [`${withoutForbidden(field)}: ${text}`];
  });
  const description = [elements.get('desc') ?? [], lines].flat().join('\n');
  if (description !== '') elements.set('desc', description);
  const written = ELEMENTS.flatMap(([element]) => {
    const text = elements.get(element);
    return text === undefined ? [] : [`<${element}>${escapeText(text)}</${element}>`];
  });
  return `<wpt lat="${lat}" lon="${lng}">${written.join('')}</wpt>\n`;
}

function textOf(values: JsonObject, name: string): string {
  const value: JsonValue | undefined = Object.hasOwn(values, name) ? values[name] : undefined;
  return typeof value === 'object' || value === undefined ? '' : withoutForbidden(String(value));
}
