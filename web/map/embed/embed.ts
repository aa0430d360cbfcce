/** What only an embedded map does: it leaves gestures to the page around it, and tells that page what happens. */

import './embed.css';

import { cooperate } from './cooperative-gestures.ts';
import type { PostToHost } from './host-messages.ts';
import { hostMessenger } from './host-messages.ts';
import { watchPreferredHeight } from './preferred-height.ts';

export interface Embed {
  readonly post: PostToHost;
  /** Whether the page is as high as its list, up to a limit. */
  readonly hasAutoHeight: boolean;
  /** @param page the element of the whole page, when it is drawn */
  attach(page: HTMLElement): void;
}

/** Called where another page frames this one. @param search query string of the page's address */
export function startEmbed(mapId: string, search: string): Embed {
  const parameters = new URLSearchParams(search);
  const hasAutoHeight = parameters.get('height') === 'auto';
  const post = hostMessenger(mapId);
  document.documentElement.classList.add('embedded');
  return {
    post,
    hasAutoHeight,
    attach(page) {
      const canvas = page.querySelector<HTMLElement>('.map-canvas');
      if (canvas !== null && parameters.get('gestures') !== 'greedy') cooperate(canvas);
      if (hasAutoHeight) watchPreferredHeight(page, (height) => post({ type: 'height', height }));
    },
  };
}
