/**
 * Turns a selection on a location into a template that a store fills in, and caches the templates. A rewritten
 * document names each page's template by its key.
 */

import type { FieldNode } from 'graphql';
import { Kind, parse } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { LocationTemplate, LocationValue, TemplatePart } from '../../../domain/location-template.ts';
import { createTemplate } from '../../../domain/location-template.ts';
import type { Fragments } from './selections.ts';
import { collectFields } from './selections.ts';

/** Fields of a type: values of the location, or objects of such fields. */
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
      fields: {
        provider: { value: 'provider' },
        precision: { value: 'precision' },
        label: { value: 'label' },
        isAmbiguous: { value: 'isAmbiguous' },
        isChecked: { value: 'isChecked' },
      },
    },
  },
};

/** The template for a page of which only the ends are selected. */
export const ENDS = createTemplate([{ text: '0' }]);

/** Values that can make up most of a location's size. */
const LONG: ReadonlySet<LocationValue> = new Set(['name', 'placeId', 'properties', 'label']);

/**
 * @param nodes fields of one response key, whose type is a list of locations
 * @returns null if the selection needs more than a template
 */
export function templateFor(nodes: readonly FieldNode[], fragments: Fragments): LocationTemplate | null {
  const parts = partsOf(nodes, LOCATION, fragments);
  if (parts === null || repeatsLongValue(parts)) return null;
  return findTemplate(parts);
}

/** @param selection on a location, without braces, of our own documents */
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
 * Whether a long value is selected under several aliases: it would be written several times before its length is
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

/** Clients' selections determine the templates, so the least recently used ones are dropped. */
const MAX_TEMPLATES = 500;
/** Maximum characters of a template. A longer one has long aliases; its page is read as objects. */
const MAX_TEMPLATE_LENGTH = 4_000;

const templates = new LRUCache<string, LocationTemplate>({ max: MAX_TEMPLATES });

/** @returns the shared template with these parts; null if it is too long */
export function findTemplate(parts: readonly TemplatePart[]): LocationTemplate | null {
  const made = createTemplate(parts);
  if (made.key.length > MAX_TEMPLATE_LENGTH) return null;
  const known = templates.get(made.key);
  if (known === undefined) templates.set(made.key, made);
  return known ?? made;
}

/** @param key of a template that {@link findTemplate} returned, even if it was dropped since */
export function templateOf(key: string): LocationTemplate {
  const known = templates.get(key);
  if (known !== undefined) return known;
  const template = createTemplate(JSON.parse(key) as TemplatePart[]);
  templates.set(key, template);
  return template;
}
