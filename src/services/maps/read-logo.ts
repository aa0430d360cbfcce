/** Reads the logo of a map's page from a data URL. Its bytes alone decide what it is. */

import { createHash } from 'node:crypto';

import { SaxesParser } from 'saxes';

import type { LogoInfo, LogoType } from '../../domain/logo.ts';
import { MAX_LOGO_BYTES } from '../../domain/logo.ts';
import { badUserInput } from '../../errors.ts';

export interface Logo {
  readonly info: LogoInfo;
  /** The file in base64. */
  readonly content: string;
}

const DATA_URL = /^data:[a-z0-9.+/;=-]*;base64,/i;
/** Base64 of the largest file, with some room for the media type. */
const MAX_URL_LENGTH = Math.ceil(MAX_LOGO_BYTES / 3) * 4 + 200;
const ALLOWED = `a PNG, WebP or SVG file of at most ${MAX_LOGO_BYTES / 1024} KiB`;

/** @throws ServiceError BAD_USER_INPUT */
export function readLogo(url: string, label = 'theme.logo'): Logo {
  const prefix = DATA_URL.exec(url.slice(0, 200))?.[0];
  if (prefix === undefined) {
    throw badUserInput(`${label} must be a data URL in base64 (data:image/png;base64,…) of ${ALLOWED}.`);
  }
  const text = url.slice(prefix.length);
  const file = url.length > MAX_URL_LENGTH ? null : Buffer.from(text, 'base64');
  if (file !== null && file.toString('base64') !== text) throw badUserInput(`${label} is not valid base64.`);
  if (file === null || file.length > MAX_LOGO_BYTES) {
    throw badUserInput(`${label} is too large; it must be ${ALLOWED}.`);
  }
  const hash = createHash('sha256').update(file).digest('hex');
  return { info: { type: typeOf(file, label), hash, bytes: file.length }, content: text };
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function typeOf(file: Buffer, label: string): LogoType {
  if (file.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  if (file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP')
    return 'image/webp';
  const text = decodeUtf8(file);
  if (text === null || !/^\s*</.test(text)) throw badUserInput(`${label} must be ${ALLOWED}.`);
  const problem = problemOfSvg(text);
  if (problem !== null) throw badUserInput(`${label} must be ${ALLOWED}: ${problem}.`);
  return 'image/svg+xml';
}

/** Without a byte order mark; null if it is not UTF-8. */
function decodeUtf8(file: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return null;
  }
}

const SVG = 'http://www.w3.org/2000/svg';

/** The parser looks for a namespace in each open element, so that a deep file would take minutes. */
const MAX_DEPTH = 100;
/** Some milliseconds. */
const MAX_ELEMENTS = 10_000;

class SvgProblem extends Error {}

/** What is wrong with an SVG file; null for nothing. Without a document type, it declares no entities. */
function problemOfSvg(text: string): string | null {
  const parser = new SaxesParser({ xmlns: true });
  // An error ends the parsing.
  const stop = (problem: string) => {
    throw new SvgProblem(problem);
  };
  let elements = 0;
  let depth = 0;
  parser.on('doctype', () => stop('a document type (<!DOCTYPE …>) is not allowed'));
  parser.on('error', ({ message }) => stop(`it is not well-formed XML (${message})`));
  // Before the parser looks for the namespace.
  parser.on('opentagstart', () => {
    elements += 1;
    depth += 1;
    if (depth > MAX_DEPTH) stop(`its elements are nested more than ${MAX_DEPTH} deep`);
    if (elements > MAX_ELEMENTS) stop(`it has more than ${MAX_ELEMENTS} elements`);
  });
  parser.on('opentag', ({ local, uri }) => {
    if (elements === 1 && (local !== 'svg' || uri !== SVG)) stop(`its root must be <svg xmlns="${SVG}">`);
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof SvgProblem) return error.message;
    throw error;
  }
  return null;
}
