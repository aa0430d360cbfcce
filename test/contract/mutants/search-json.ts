/** Mutants whose pages of what was found, as JSON, are others than those of records. */

import { JsonText } from '../../../src/domain/json/json-text.ts';
import type { SearchPageJson } from '../../../src/storage/search.ts';
import type { Mutant } from './mutant.ts';

const mutant = (name: string, change: (page: SearchPageJson, limit: number) => SearchPageJson): Mutant => ({
  name: `a found page as JSON: ${name}`,
  topic: 'pages as JSON',
  breaks: (good) => ({
    findLocationsJson: async (search, page, template) =>
      change(await good.findLocationsJson(search, page, template), page.limit),
  }),
});

export const foundJsonMutants: readonly Mutant[] = [
  mutant('nothing ever comes next', (page) => ({ ...page, next: null })),
  mutant('what comes next is the last of it', (page) => ({ ...page, next: page.next && page.last })),
  mutant('its ends are mixed up', (page) => ({ ...page, first: page.last, last: page.first })),
  mutant('it counts as many as there may be', (page, limit) => ({ ...page, count: limit })),
  mutant('it comes the other way round', (page) => ({
    ...page,
    json: new JsonText(JSON.stringify((JSON.parse(page.json.text) as unknown[]).reverse())),
  })),
];
