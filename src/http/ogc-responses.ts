/** Responses of /ogc: documents and errors, as JSON or as pages for browsers. */

import { STATUS_CODES } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Format, Target } from '../ogc/links.ts';
import { GEOJSON_TYPE, JSON_TYPE, OPENAPI_TYPE, Targets } from '../ogc/links.ts';
import type { PageInput } from '../ogc/pages.ts';
import { errorContent, renderPage } from '../ogc/pages.ts';
import { startPageHeaders } from '../web/start-page.ts';
import { addVary, allowPrivateCaching, allowSharedCaching, etagOf, isNotModified } from './caching.ts';
import { allowAnyOrigin } from './cors.ts';
import type { ErrorHandler } from './errors.ts';
import { preparePublicError, sendErrorText } from './errors.ts';
import { HTML_TYPE, JSON_TYPE as ERROR_TYPE, prefersHtml } from './request/media-types.ts';
import { baseUrlOf, searchOf } from './request/request-url.ts';

export interface OgcDocument {
  readonly target: Target;
  readonly format: Format;
  /** Whether it is the same for everybody. */
  readonly isPublic: boolean;
  readonly json: () => string;
  readonly page: () => PageInput;
}

export function renderDocument({ format, json, page }: OgcDocument): string {
  return format === 'html' ? renderPage(page()) : json();
}

/** @param text the document as {@link renderDocument} returns it */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { target, format, isPublic }: Pick<OgcDocument, 'target' | 'format' | 'isPublic'>,
  text: string,
): FastifyReply {
  if (isPublic) allowSharedCaching(reply);
  else allowPrivateCaching(reply);
  if (format === 'html') reply.headers(pageHeaders());
  if (isNotModified(request, reply, etagOf(text))) return reply.send();
  return reply.type(format === 'html' ? HTML_TYPE : target.type).send(Buffer.from(text));
}

const JSON_TYPES = [JSON_TYPE, GEOJSON_TYPE, OPENAPI_TYPE.replace(/;.*/, '')];

/** The format that the header Accept prefers. */
export function acceptedFormat({ headers }: FastifyRequest): Format {
  return prefersHtml(headers.accept, JSON_TYPES) ? 'html' : 'json';
}

/** Sends errors in the form of OGC API - Features 1.0, and to browsers as pages. */
export function ogcErrorHandler(publicUrl: string | null): ErrorHandler {
  return (thrown, request, reply) => {
    const { error, status } = preparePublicError(thrown, request, reply);
    const { code, message: description } = error;
    allowAnyOrigin(reply);
    addVary(reply, 'Accept');
    if (formatOfError(request) === 'json') {
      return sendErrorText(reply, status, error, ERROR_TYPE, JSON.stringify({ code, description }));
    }
    const targets = new Targets(baseUrlOf(request, publicUrl));
    const page = renderPage({
      title: `${status} ${STATUS_CODES[status]}`,
      above: [targets.root],
      links: [],
      content: errorContent(code, description, targets),
    });
    reply.headers(pageHeaders());
    return sendErrorText(reply, status, error, HTML_TYPE, page);
  };
}

/** As of the document, but an invalid `f` is as if it were not given. */
function formatOfError(request: FastifyRequest): Format {
  const format = new URLSearchParams(searchOf(request)).get('f');
  return format === 'json' || format === 'html' ? format : acceptedFormat(request);
}

let headersOfPages: Readonly<Record<string, string>> | undefined;

/** Caching is that of the document or the error. */
function pageHeaders(): Readonly<Record<string, string>> {
  if (headersOfPages === undefined) {
    const { 'cache-control': _ofStartPage, ...headers } = startPageHeaders();
    headersOfPages = headers;
  }
  return headersOfPages;
}
