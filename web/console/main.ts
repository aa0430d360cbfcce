import '../shared/theme.css';
import '../map/map.css';
import './console.css';

import { mount } from 'svelte';

import { readConfig } from '../shared/page-config.ts';
import type { ConsoleConfig } from './config.ts';
import ConsolePage from './ConsolePage.svelte';

const target = document.getElementById('app');
if (target !== null) {
  target.replaceChildren();
  mount(ConsolePage, { target, props: { config: readConfig<ConsoleConfig>() } });
}
