import '../shared/theme.css';
import '../shared/controls.css';
import '../shared/map/map.css';
import './styles/page.css';
import './styles/list.css';
import './styles/card.css';
import './styles/narrow.css';

import { mount } from 'svelte';

import { readConfig } from '../shared/page-config.ts';
import type { MapConfig } from './config.ts';
import MapPage from './MapPage.svelte';

const target = document.getElementById('app');
if (target !== null) {
  const config = readConfig<MapConfig>();
  // The server's HTML is for readers without JavaScript and for the time until the script runs.
  target.replaceChildren();
  mount(MapPage, { target, props: { config } });
}
