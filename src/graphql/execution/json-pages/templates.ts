/** The templates in use. A rewritten document names the template of each page by its key. */

import { LRUCache } from 'lru-cache';

import type { LocationTemplate, TemplatePart } from '../../../domain/location-template.ts';
import { createTemplate } from '../../../domain/location-template.ts';

/** Templates come from clients' selections. When there are more, those that were not used for longest are forgotten. */
const MAX_TEMPLATES = 500;
/** Characters of one template. A longer one has long aliases; its page is read as objects. */
const MAX_LENGTH = 4_000;

const templates = new LRUCache<string, LocationTemplate>({ max: MAX_TEMPLATES });

/** @returns the one template with these parts; null when it is too long */
export function findTemplate(parts: readonly TemplatePart[]): LocationTemplate | null {
  const made = createTemplate(parts);
  if (made.key.length > MAX_LENGTH) return null;
  const known = templates.get(made.key);
  if (known === undefined) templates.set(made.key, made);
  return known ?? made;
}

/** @param key of a template that was found before. The template may have been forgotten since */
export function templateOf(key: string): LocationTemplate {
  const known = templates.get(key);
  if (known !== undefined) return known;
  const template = createTemplate(JSON.parse(key) as TemplatePart[]);
  templates.set(key, template);
  return template;
}
