/** Whether the screen is wide. The breakpoint is that of the style sheets. */

import { MediaQuery } from 'svelte/reactivity';

export const wide = new MediaQuery('min-width: 721px');
