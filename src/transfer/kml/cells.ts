/**
 * Our own columns in KML. What XML forbids stands in them as a JSON string, with escapes; so does a text that would be
 * taken for one.
 */

import { isAllowed, jsonForXml } from '../xml/escape.ts';

export function escapeCell(cell: string): string {
  return isEscapedCell(cell) || !isAllowed(cell) ? jsonForXml(JSON.stringify(cell)) : cell;
}

export function isEscapedCell(cell: string): boolean {
  return cell.startsWith('"');
}

/** What is no such string stays as it is. */
export function unescapeCell(cell: string): string {
  try {
    const value: unknown = JSON.parse(cell);
    return typeof value === 'string' ? value : cell;
  } catch {
    return cell;
  }
}
