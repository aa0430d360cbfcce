/** HTML that embeds a map in another page. */

import { FRAME_PERMISSIONS } from '../../../src/web/pages.ts';

export interface EmbedChoices {
  /** CSS pixels; null for the whole width of its place. */
  readonly width: number | null;
  /** CSS pixels. With {@link hasAutoHeight}, until the map has said how high it would like to be. */
  readonly height: number;
  readonly hasAutoHeight: boolean;
  /** Whether the map takes the wheel and one finger from the page around it. */
  readonly isGreedy: boolean;
  /** BCP 47; empty for the reader's. */
  readonly language: string;
  /** What is searched for when the map opens; empty for nothing. */
  readonly search: string;
  readonly category: string;
}

/** The address of the frame. @param page absolute URL of the map's page */
export function embedUrlOf(page: string, choices: EmbedChoices): string {
  const { hasAutoHeight, isGreedy, language, search, category } = choices;
  const parameters = new URLSearchParams({
    embed: '1',
    ...(hasAutoHeight && { height: 'auto' }),
    ...(isGreedy && { gestures: 'greedy' }),
    ...(language !== '' && { lang: language }),
    ...(search.trim() !== '' && { q: search.trim() }),
    ...(category.trim() !== '' && { category: category.trim() }),
  });
  return `${page}?${parameters.toString()}`;
}

/** The frame, and the script that sets its height. */
export function embedCodeOf(page: string, name: string, choices: EmbedChoices): string {
  const { width, height, hasAutoHeight } = choices;
  const attributes = [
    `src="${escape(embedUrlOf(page, choices))}"`,
    `title="${escape(name)}"`,
    `width="${width ?? '100%'}" height="${height}"`,
    `allow="${FRAME_PERMISSIONS}" style="border:0" loading="lazy"`,
  ];
  const script = `\n<script src="${escape(new URL('../embed.js', page).href)}" async></script>`;
  return `<iframe ${attributes.join(' ')}></iframe>${hasAutoHeight ? script : ''}`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
