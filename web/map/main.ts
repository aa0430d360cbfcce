import '../shared/theme.css';
import './map.css';

import { mount } from 'svelte';

import { readConfig } from '../shared/page-config.ts';
import type { MapConfig } from './config.ts';
import MapPage from './MapPage.svelte';

const target = document.getElementById('app');
if (target !== null) {
  const config = readConfig<MapConfig>();
  // What the server wrote is for readers without scripts, and for the time until now.
  target.replaceChildren();
  mount(MapPage, { target, props: { config } });
}
