/**
 * Escapes the fixed columns of an export in KML. A value with characters that XML forbids becomes a JSON string; so does
 * a value that looks like one.
 */

import { isAllowed, jsonForXml } from '../xml/escape.ts';

export function escapeCell(cell: string): string {
  return isEscapedCell(cell) || !isAllowed(cell) ? jsonForXml(JSON.stringify(cell)) : cell;
}

export function isEscapedCell(cell: string): boolean {
  return cell.startsWith('"');
}

/** Returns a value that is not escaped as it is. */
export function unescapeCell(cell: string): string {
  try {
    const value: unknown = JSON.parse(cell);
    return typeof value === 'string' ? value : cell;
  } catch {
    return cell;
  }
}
