import '../shared/theme.css';
import '../shared/controls.css';
import '../shared/map/map.css';
import './styles/page.css';
import './styles/list.css';
import './styles/card.css';
import './styles/narrow.css';

import catalogues from 'languages:map';
import { mount } from 'svelte';

import { languageInAddress, startLanguage } from '../shared/i18n/start-language.ts';
import type { PageConfig } from '../shared/page-config.ts';
import { readConfig } from '../shared/page-config.ts';
import type { MapConfig } from './config.ts';
import type { UnopenedConfig } from './map-key.ts';
import { openByKey } from './map-key.ts';
import MapPage from './MapPage.svelte';

void start();

async function start(): Promise<void> {
  const { language } = readConfig<PageConfig & Pick<MapConfig, 'language'>>();
  await startLanguage(catalogues, [languageInAddress(), language]);
  const target = document.getElementById('app');
  if (target === null) await openUnpublished();
  else show(readConfig<MapConfig>(), target);
}

/** The page of an unpublished or unknown map is a message, unless a link opens it. */
async function openUnpublished(): Promise<void> {
  const message = document.querySelector<HTMLElement>('main.message');
  if (message === null) return;
  const config = await openByKey(readConfig<UnopenedConfig>(), message);
  if (config === null) return;
  await startLanguage(catalogues, [languageInAddress(), config.language]);
  document.title = config.name;
  message.className = '';
  message.id = 'app';
  show(config, message);
}

function show(config: MapConfig, target: HTMLElement): void {
  // The server's HTML is for readers without JavaScript and for the time until the script runs.
  target.replaceChildren();
  mount(MapPage, { target, props: { config } });
}
