import '../shared/theme.css';
import '../shared/controls.css';
import '../shared/map/map.css';
import './styles/base.css';
import './styles/editor.css';
import './styles/table.css';
import './styles/filters-import.css';
import './styles/forms.css';
import './styles/history.css';
import './styles/settings.css';
import './styles/narrow.css';
import './styles/review.css';

import catalogues from 'languages:console';
import { mount } from 'svelte';

import { languageInAddress, startLanguage } from '../shared/i18n/start-language.ts';
import { readConfig } from '../shared/page-config.ts';
import type { ConsoleConfig } from './common/config.ts';
import { chosenLanguage } from './common/language-choice.ts';
import ConsolePage from './ConsolePage.svelte';

const target = document.getElementById('app');
if (target !== null) void show(target);

async function show(target: HTMLElement): Promise<void> {
  await startLanguage(catalogues, [languageInAddress(), chosenLanguage()]);
  target.replaceChildren();
  mount(ConsolePage, { target, props: { config: readConfig<ConsoleConfig>() } });
}
