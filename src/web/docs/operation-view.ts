/** An operation of the API: its parameters, responses and examples. */

import type {
  Content,
  OpenApiDocument,
  OpenApiOperation,
  Parameter,
  Response,
} from '../../rest/openapi/openapi.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { curlOf } from './curl.ts';
import { json, prose } from './prose.ts';
import { item, nameOf, propertyList, typeOf } from './schema-view.ts';

export interface ShownOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

export function badge(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

/** @param url base URL of the server, without a trailing slash */
export function operationView(document: OpenApiDocument, url: string, shown: ShownOperation): Html {
  const { method, path, operation } = shown;
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const success = responses[200]?.content;
  return html`<section class="operation" aria-labelledby="${operationId}">
    <div class="text">
      <h3 id="${operationId}">${summary}</h3>
      <p class="endpoint">${badge(method)} <code>${path}</code></p>
      ${prose(description)}
      <h4>Parameters</h4>
      <dl class="items">${parameters.map(parameterView)}</dl>
      ${requestBody === undefined ? null : bodyView(document, requestBody.description, requestBody.content)}
      <h4>Responses</h4>
      ${Object.entries(responses).map(([status, response]) => responseView(document, status, response))}
    </div>
    <div class="examples">
      ${codeBlock('Request', summary, html`${curlOf(url, method, path, operation)}`)}
      ${success === undefined ? null : codeBlock('Response', summary, json(exampleOf(success)))}
    </div>
  </section>`;
}

/** @param of what the code is an example of, for screen readers */
export function codeBlock(title: string, of: string, code: Html): Html {
  return html`<figure class="code">
    <figcaption>
      <span>${title}<span class="visually-hidden">: ${of}</span></span>
    </figcaption>
    <pre><code>${code}</code></pre>
  </figure>`;
}

function parameterView({ name, in: where, required = false, description, schema }: Parameter): Html {
  return item(name, schema, { isRequired: required, description, notes: [`in ${where}`] });
}

function bodyView({ components }: OpenApiDocument, description: string, content: Content): Html {
  const { schema } = content['application/json'];
  const shown = components.schemas[nameOf(schema.$ref ?? '')] ?? schema;
  return html`<h4>Body</h4>
    ${prose(description)} ${propertyList(shown)}`;
}

/** Only the successful response is unfolded. */
function responseView(
  { components }: OpenApiDocument,
  status: string,
  { description, headers, content }: Response,
): Html {
  const shown = Object.entries(headers).flatMap(([name, { $ref }]) => {
    const header = components.headers[nameOf($ref)];
    if (header === undefined) return [];
    return [
      item(name, header.schema, {
        description: header.description,
        notes: header.required ? ['always'] : [],
      }),
    ];
  });
  return html`<details class="response" ${status === '200' ? html` open` : null}>
    <summary><span class="status s${status[0] ?? ''}">${status}</span> ${nameOfStatus(status)}</summary>
    ${prose(description)} ${content === undefined ? null : html`<p>Body: ${bodyType(content)}</p>`}
    <h5>Headers</h5>
    <dl class="items">${shown}</dl>
  </details>`;
}

function bodyType(content: Content): Html {
  const { schema } = content['application/json'];
  const data = schema.properties?.['data'];
  return data === undefined || schema.$ref !== undefined
    ? typeOf(schema)
    : html`<code>{"data": ${typeOf(data)}}</code>`;
}

function exampleOf(content: Content): unknown {
  return Object.values(content['application/json'].examples)[0]?.value;
}

const STATUS_NAMES: Readonly<Record<string, string>> = {
  200: 'OK',
  304: 'Not modified',
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  413: 'Content too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  500: 'Internal server error',
  503: 'Service unavailable',
};

function nameOfStatus(status: string): string {
  return STATUS_NAMES[status] ?? '';
}
