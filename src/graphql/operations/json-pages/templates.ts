/** The templates that are in use: a page names its own by a text, in the document that it is rewritten to. */

import { LRUCache } from 'lru-cache';

import type { LocationTemplate, TemplatePart } from '../../../domain/location-template.ts';
import { createTemplate } from '../../../domain/location-template.ts';

/** Templates come from clients' selections: of more than these the longest unused are forgotten. */
const MAX_TEMPLATES = 500;
/** Characters of one. A longer one comes of long aliases, and such a page is read location by location. */
const MAX_LENGTH = 4_000;

const templates = new LRUCache<string, LocationTemplate>({ max: MAX_TEMPLATES });

/** @returns the one template of these parts; null for one that is too long */
export function findTemplate(parts: readonly TemplatePart[]): LocationTemplate | null {
  const made = createTemplate(parts);
  if (made.key.length > MAX_LENGTH) return null;
  const known = templates.get(made.key);
  if (known === undefined) templates.set(made.key, made);
  return known ?? made;
}

/** @param key of a template that was found; it may have been forgotten since */
export function templateOf(key: string): LocationTemplate {
  const known = templates.get(key);
  if (known !== undefined) return known;
  const template: LocationTemplate = { key, parts: JSON.parse(key) as TemplatePart[] };
  templates.set(key, template);
  return template;
}
