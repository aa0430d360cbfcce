/** Whether there is room for all in a row. The breakpoint is that of console.css. */

import { MediaQuery } from 'svelte/reactivity';

export const wide = new MediaQuery('min-width: 721px');
