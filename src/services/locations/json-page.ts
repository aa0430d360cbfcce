/** Writes pages in the public view as JSON. Stores write all others. */

import { JsonText } from '../../domain/json/json-text.ts';
import type { LocationTemplate } from '../../domain/location-template.ts';
import { fillTemplate } from '../../domain/location-template.ts';
import type { LocationView } from '../../domain/public-view.ts';
import { yieldWhenLong } from '../../lib/cooperative-scheduler.ts';

/** @returns a JSON array, each location written by the template */
export async function toJson(
  template: LocationTemplate,
  locations: readonly LocationView[],
): Promise<JsonText> {
  const yieldIfDue = yieldWhenLong();
  const written: string[] = [];
  for (const location of locations) {
    const properties = JSON.stringify(location.properties);
    written.push(fillTemplate(template, { ...location, properties }));
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
  }
  return new JsonText(`[${written.join(',')}]`);
}
