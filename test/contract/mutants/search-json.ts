/** Mutants whose JSON search pages differ from the pages of records. */

import { JsonText } from '../../../src/domain/json/json-text.ts';
import type { SearchPageJson } from '../../../src/storage/search.ts';
import type { Mutant } from './mutant.ts';

const mutant = (name: string, change: (page: SearchPageJson, limit: number) => SearchPageJson): Mutant => ({
  name: `a search page as JSON: ${name}`,
  topic: 'pages as JSON',
  breaks: (good) => ({
    findLocationsJson: async (search, page, template) =>
      change(await good.findLocationsJson(search, page, template), page.limit),
  }),
});

export const searchJsonMutants: readonly Mutant[] = [
  mutant('it has no next hit', (page) => ({ ...page, next: null })),
  mutant('its next hit is its last one', (page) => ({ ...page, next: page.next && page.last })),
  mutant('its ends are swapped', (page) => ({ ...page, first: page.last, last: page.first })),
  mutant('its count is the limit', (page, limit) => ({ ...page, count: limit })),
  mutant('it is reversed', (page) => ({
    ...page,
    json: new JsonText(JSON.stringify((JSON.parse(page.json.text) as unknown[]).reverse())),
  })),
];
