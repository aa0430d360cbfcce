/** Renders JSON Schemas as lists of names, types and constraints. */

import type { JsonSchema } from '../../rest/openapi/openapi.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { inline } from './prose.ts';

/** The properties of an object, with their types and descriptions. */
export function propertyList({ properties = {}, required = [] }: JsonSchema): Html {
  const items = Object.entries(properties).map(([name, schema]) =>
    item(name, schema, { isRequired: required.includes(name), description: schema.description }),
  );
  return html`<dl class="items">${items}</dl>`;
}

/** @param notes short notes after the type, such as the location of a parameter */
export function item(
  name: string,
  schema: JsonSchema,
  {
    isRequired = false,
    description = '',
    notes = [],
  }: { isRequired?: boolean; description?: string | undefined; notes?: readonly string[] },
): Html {
  return html`<dt>
      <code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>
      ${isRequired ? html`<span class="required">required</span>` : null}
      ${[...notes, ...rulesOf(schema)].map((note) => html`<span class="rule">${note}</span>`)}
    </dt>
    <dd>${inline(description)}${valuesOf(schema)}</dd>`;
}

/** The type, with links to named schemas. */
export function typeOf(schema: JsonSchema): Html {
  const { $ref, allOf, type, items, const: only } = schema;
  // The first schema names the type; the others narrow it.
  if (allOf?.[0] !== undefined) return typeOf(allOf[0]);
  if ($ref !== undefined) {
    const name = nameOf($ref);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (type === 'array' && items !== undefined) return html`array of ${typeOf(items)}`;
  if (only !== undefined) return html`<code>${only}</code>`;
  return html`${typeof type === 'string' ? type : (type ?? ['any']).join(' or ')}`;
}

export function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? reference;
}

function rulesOf({
  format,
  default: fallback,
  minimum,
  maximum,
  minLength,
  maxLength,
  maxProperties,
}: JsonSchema): string[] {
  return [
    ...(format === undefined ? [] : [format]),
    ...range('', minimum, maximum),
    ...(maxLength === undefined ? [] : range('characters', minLength, maxLength)),
    ...(maxProperties === undefined ? [] : range('keys', undefined, maxProperties)),
    ...(fallback === undefined ? [] : [`default ${fallback}`]),
  ];
}

function range(unit: string, from: number | undefined, to: number | undefined): string[] {
  const suffix = unit === '' ? '' : ` ${unit}`;
  if (to === undefined) return from === undefined ? [] : [`at least ${from}${suffix}`];
  return [from === undefined ? `at most ${to}${suffix}` : `${from} to ${to}${suffix}`];
}

function valuesOf({ enum: values }: JsonSchema): Html | null {
  if (values === undefined) return null;
  return html` One of ${values.map((value, index) => [index === 0 ? '' : ', ', html`<code>${value}</code>`])}.`;
}
