/** Pages as JSON where no store can write them: those in the public view. */

import { JsonText } from '../../domain/json/json-text.ts';
import type { LocationTemplate } from '../../domain/location-template.ts';
import { fillTemplate } from '../../domain/location-template.ts';
import type { LocationView } from '../../domain/public-view.ts';
import { yieldWhenLong } from '../../lib/cooperative-scheduler.ts';

/** An array, each location as the template says. */
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
