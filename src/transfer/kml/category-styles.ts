/** Styles of Placemarks: pins in the colours that the map's page gives to the categories. */

import type { Color } from '../../domain/accent.ts';
import {
  CATEGORY_COLORS,
  categoryOf,
  countCategories,
  MAX_COUNTED,
  mostFrequent,
} from '../../domain/categories.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import type { ExportCategories } from '../writer.ts';

/** A white pin, which the colour tints: that of Google Earth by default is yellow. */
const PIN = 'https://maps.google.com/mapfiles/kml/paddle/wht-blank.png';
const WHITE: Color = '#ffffff';
const OTHERS = 'category-other';

export interface PlacemarkStyles {
  /** The Style elements. */
  readonly styles: string;
  /** The styleUrl element of a location. @param properties JSON */
  readonly referenceOf: (properties: string) => string;
}

/** Null if no category has a colour. */
export function placemarkStyles(categories: ExportCategories | undefined): PlacemarkStyles | null {
  if (categories === undefined || categories.colors.length === 0) return null;
  const { field, colors } = categories;
  const ids = new Map(colors.map(([category], index) => [category, `category-${index + 1}`]));
  const styles = colors.map(([, color], index) => styleOf(`category-${index + 1}`, color));
  return {
    styles: [...styles, styleOf(OTHERS, WHITE)].join(''),
    referenceOf: (properties) => {
      const category = categoryOf(JSON.parse(properties) as JsonObject, field);
      return `<styleUrl>#${ids.get(category) ?? OTHERS}</styleUrl>`;
    },
  };
}

function styleOf(id: string, color: Color): string {
  const [, red = '', green = '', blue = ''] = /^#(..)(..)(..)$/.exec(color) ?? [];
  return (
    `<Style id="${id}"><IconStyle><color>ff${blue}${green}${red}</color><Icon><href>${PIN}</href></Icon>` +
    `<hotSpot x="32" y="1" xunits="pixels" yunits="pixels"/></IconStyle></Style>\n`
  );
}

/**
 * Adds the colours of categories that have none of their own, as the page assigns them: not on large maps, nor for a
 * single category.
 *
 * @param lines the properties of each location as a line of JSON. Chunks end at line ends
 */
export async function withAssignedColors(
  { field, colors }: ExportCategories,
  lines: AsyncIterable<Uint8Array>,
): Promise<ExportCategories> {
  const found: string[] = [];
  for await (const chunk of lines) {
    for (const line of new TextDecoder().decode(chunk).split('\n'))
      if (line !== '') found.push(categoryOf(JSON.parse(line) as JsonObject, field));
    if (found.length > MAX_COUNTED) return { field, colors };
  }
  const counts = countCategories(found);
  if (counts.size < 2) return { field, colors };
  const own = new Set(colors.map(([category]) => category));
  const others = new Map([...counts].filter(([category]) => !own.has(category)));
  const assigned = mostFrequent(others, CATEGORY_COLORS.length).map(
    (category, index) => [category, CATEGORY_COLORS[index] ?? WHITE] as const,
  );
  return { field, colors: [...colors, ...assigned] };
}
