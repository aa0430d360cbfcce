/** The one form of our pages' titles. A map's own page has its name alone: it is its owner's. */

export const SITE_NAME = 'Map Locations';

/** What tells the page from others comes first, since a tab shows little. */
export function titleOf(page: string): string {
  return `${page} · ${SITE_NAME}`;
}
