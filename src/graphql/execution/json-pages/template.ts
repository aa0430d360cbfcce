/** Turns a selection on a location into a template that a store can fill in; null when it asks for more than that. */

import type { FieldNode } from 'graphql';
import { Kind, parse } from 'graphql';

import type { LocationTemplate, LocationValue, TemplatePart } from '../../../domain/location-template.ts';
import { createTemplate } from '../../../domain/location-template.ts';
import { findTemplate } from './templates.ts';
import type { Fragments } from './selections.ts';
import { collectFields } from './selections.ts';

/** The fields of a type: each is a value of the location, or an object of such fields. */
interface ObjectFields {
  readonly type: string;
  readonly fields: Readonly<Record<string, TemplatePart | ObjectFields>>;
}

const LOCATION: ObjectFields = {
  type: 'Location',
  fields: {
    id: { value: 'id' },
    name: { value: 'name' },
    placeId: { value: 'placeId' },
    latLngLiteral: { type: 'LatLngLiteral', fields: { lat: { value: 'lat' }, lng: { value: 'lng' } } },
    latitude: { value: 'latitude' },
    longitude: { value: 'longitude' },
    properties: { value: 'properties' },
    order: { value: 'order' },
    externalId: { value: 'externalId' },
    version: { value: 'version' },
    createdAt: { value: 'createdAt' },
    updatedAt: { value: 'updatedAt' },
    geocoding: {
      type: 'Geocoding',
      fields: { provider: { value: 'provider' }, precision: { value: 'precision' } },
    },
  },
};

/** The template for a page of which only the ends are wanted. */
export const ENDS = createTemplate([{ text: '0' }]);

/** Values that can be as long as all fields of a location together. */
const LONG: ReadonlySet<LocationValue> = new Set(['name', 'placeId', 'properties']);

/** @param nodes the fields of one response key; their type is a list of locations */
export function templateFor(nodes: readonly FieldNode[], fragments: Fragments): LocationTemplate | null {
  const parts = partsOf(nodes, LOCATION, fragments);
  if (parts === null || repeatsLongValue(parts)) return null;
  return findTemplate(parts);
}

/** @param selection on a location, without braces, from a document of ours */
export function templateOfSelection(selection: string): LocationTemplate {
  const [definition] = parse(`{ nodes { ${selection} } }`).definitions;
  const nodes = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [];
  const template = templateFor(
    nodes.filter((node) => node.kind === Kind.FIELD),
    new Map(),
  );
  if (template === null) throw new Error(`There is no template for ${selection}.`);
  return template;
}

/**
 * True when a long value is asked for under several aliases. It would be written several times before its length is
 * known.
 */
function repeatsLongValue(parts: readonly TemplatePart[]): boolean {
  const long = parts.flatMap((part) => ('value' in part && LONG.has(part.value) ? [part.value] : []));
  return new Set(long).size < long.length;
}

function partsOf(
  nodes: readonly FieldNode[],
  { type, fields }: ObjectFields,
  fragments: Fragments,
): TemplatePart[] | null {
  const selected = collectFields(nodes, [type, 'Node'], fragments);
  if (selected === null) return null;
  const parts: TemplatePart[] = [];
  for (const [key, selections] of selected) {
    const name = selections[0]?.name.value ?? '';
    parts.push({ text: `${parts.length === 0 ? '{' : ','}"${key}":` });
    if (selections.some(({ directives = [] }) => directives.length > 0)) return null;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (name === '__typename') parts.push({ text: `"${type}"` });
    else if (field === undefined) return null;
    else if ('type' in field) {
      const inner = partsOf(selections, field, fragments);
      if (inner === null) return null;
      parts.push(...inner);
    } else parts.push(field);
  }
  return [...parts, { text: '}' }];
}
