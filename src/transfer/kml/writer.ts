/**
 * Writes a map as KML 2.2. The name and Point of a Placemark are for other programs; its ExtendedData have the columns of
 * an exported table, from which an import restores the location.
 */

import { attributionText } from '../../domain/attribution.ts';
import { exportCells, publicLine } from '../columns/export-cells.ts';
import { EXPORT_COLUMN, exportColumns } from '../columns/export-table.ts';
import type { ExportWriter, WriterOptions } from '../writer.ts';
import { escapeAttribute, escapeText, isAllowed, jsonForXml, withoutForbidden } from '../xml/escape.ts';
import { escapeCell } from './cells.ts';
import { placemarkStyles } from './category-styles.ts';

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>\n';

export function kmlWriter({
  fields: all,
  isPublic = false,
  attributions = [],
  categories,
}: WriterOptions): ExportWriter {
  const visible = new Set(all);
  // Values of other fields go to `more`.
  const fields = all.filter(isAllowed);
  const defined = new Set(fields);
  const starts = exportColumns(fields).map((column) => `<Data name="${escapeAttribute(column)}"><value>`);
  const fixed = Object.keys(EXPORT_COLUMN).length;
  const styles = placemarkStyles(categories);
  const description =
    attributions.length === 0
      ? ''
      : `<description>${escapeText(attributionText(attributions))}</description>\n`;
  const textOf = (cell: string, index: number) => escapeText(index < fixed ? escapeCell(cell) : cell);
  return {
    kind: 'lines',
    hasNames: true,
    head: HEAD + description + (styles?.styles ?? ''),
    lead: '',
    tail: '</Document></kml>\n',
    lineOf: (source) => {
      const location = isPublic ? publicLine(source, visible) : source;
      const { cells, more } = exportCells(location, fields, defined, Infinity, isAllowed);
      const texts = [...cells.map(String), jsonForXml(more)];
      const data = texts.map((text, index) => `${starts[index]}${textOf(text, index)}</value></Data>`);
      return (
        `<Placemark><name>${escapeText(withoutForbidden(source.name))}</name>` +
        (styles?.referenceOf(source.properties) ?? '') +
        `<ExtendedData>${data.join('')}</ExtendedData>` +
        `<Point><coordinates>${source.lng},${source.lat}</coordinates></Point></Placemark>\n`
      );
    },
  };
}
