import '../shared/theme.css';
import '../shared/controls.css';
import '../shared/map/map.css';
import './styles/page.css';
import './styles/list.css';
import './styles/narrow.css';

import catalogues from 'languages:map';
import { mount } from 'svelte';

import { languageInAddress, startLanguage } from '../shared/i18n/start-language.ts';
import type { PageConfig } from '../shared/page-config.ts';
import type { CategoryStyles } from '../shared/map/categories.ts';
import { readConfig } from '../shared/page-config.ts';
import type { MapConfig } from './config.ts';
import type { UnopenedConfig } from './map-key.ts';
import type { Embed } from './embed/embed.ts';
import MapPage from './MapPage.svelte';
import { t } from './messages.ts';

void start();

async function start(): Promise<void> {
  const { language } = readConfig<PageConfig & Pick<MapConfig, 'language'>>();
  await startLanguage(catalogues, [languageInAddress(), language]);
  const target = document.getElementById('app');
  if (target === null) await openUnpublished();
  else {
    const config = readConfig<MapConfig>();
    await show(config, target, await embedOf(config));
  }
}

/** Null if no other page frames this one, or what embedded maps have besides cannot be loaded. */
async function embedOf({ mapId, isEmbedded }: MapConfig): Promise<Embed | null> {
  if (!isEmbedded || window.parent === window) return null;
  try {
    const { startEmbed } = await import('./embed/embed.ts');
    return startEmbed(mapId, location.search);
  } catch {
    return null;
  }
}

/** The page of an unpublished or unknown map is a message, unless a link opens it. */
async function openUnpublished(): Promise<void> {
  const message = document.querySelector<HTMLElement>('main.message');
  if (message === null) return;
  const module = await import('./map-key.ts').catch(() => null);
  if (module === null) {
    message.textContent = t('error.network');
    return;
  }
  const config = await module.openByKey(readConfig<UnopenedConfig>(), message);
  if (config === null) return;
  await startLanguage(catalogues, [languageInAddress(), config.language]);
  document.title = config.name;
  message.className = '';
  message.id = 'app';
  await show(config, message);
}

/** The URL of the logo, or null. Without its theme the page works as all others. */
async function startTheme(config: MapConfig): Promise<string | null> {
  if (config.theme === undefined) return null;
  try {
    const { applyTheme, logoUrlOf } = await import('./theme.ts');
    applyTheme(config.theme);
    return await logoUrlOf(config);
  } catch {
    return null;
  }
}

/** Null if the map's categories look as those of all maps, or their styles cannot be loaded. */
async function startCategories({ categories }: MapConfig): Promise<CategoryStyles | null> {
  if (categories === undefined || categories.length === 0) return null;
  try {
    return (await import('../shared/map/category-styles.ts')).categoryStylesOf(categories);
  } catch {
    return null;
  }
}

async function show(config: MapConfig, target: HTMLElement, embed: Embed | null = null): Promise<void> {
  const [logo, styles] = await Promise.all([startTheme(config), startCategories(config)]);
  // The server's HTML is for readers without JavaScript and for the time until the script runs.
  target.replaceChildren();
  mount(MapPage, { target, props: { config, embed, logo, styles } });
}
