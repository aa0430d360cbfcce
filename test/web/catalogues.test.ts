import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { placeholdersOf } from '../../scripts/catalogues.mjs';
import type { Text } from '../../scripts/catalogues.mjs';
import { LANGUAGES } from '../../web/shared/i18n/languages.ts';
import { textsOfComponent, textsOfScript } from './literal-texts.ts';

/** Folders of web/ with catalogues. */
const FOLDERS = ['shared', 'map', 'console'];
const OTHERS = LANGUAGES.filter((language) => language !== 'en');
/** In these categories, a text may write the number as a word. */
const WORDS = ['zero', 'one', 'two'];
/** Files with proper names alone. */
const NAMES = /browser-name\.ts$|language-choice\.ts$/;

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(`web/${folder}`, { recursive: true, encoding: 'utf8' }).map((path) =>
    join('web', folder, path),
  ),
)
  .filter((path) => /\.(?:ts|svelte)$/.test(path) && !path.includes('/generated/'))
  .map((path) => ({ path, source: readFileSync(path, 'utf8') }));

function readCatalogue(folder: string, language: string): Readonly<Record<string, Text>> {
  return JSON.parse(readFileSync(`web/${folder}/languages/${language}.json`, 'utf8')) as Record<string, Text>;
}

function formsOf(text: Text): [category: string, text: string][] {
  return typeof text === 'string' ? [['', text]] : Object.entries(text);
}

describe.each(FOLDERS)('the texts of web/%s', (folder) => {
  const english = readCatalogue(folder, 'en');
  const keys = Object.keys(english);

  it('are in every language', () => {
    expect(readdirSync(`web/${folder}/languages`).toSorted()).toEqual(
      LANGUAGES.map((language) => `${language}.json`).toSorted(),
    );
  });

  it('are sorted by their keys', () => {
    expect(keys).toEqual(keys.toSorted());
  });

  it.each(OTHERS)('have the same keys in %s', (language) => {
    const others = Object.keys(readCatalogue(folder, language));
    expect({
      missing: keys.filter((key) => !others.includes(key)),
      unknown: others.filter((key) => !keys.includes(key)),
    }).toEqual({ missing: [], unknown: [] });
  });

  it.each(LANGUAGES)('have all plural forms and placeholders in %s', (language) => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    const problems = Object.entries(readCatalogue(folder, language)).flatMap(([key, text]) => {
      const wanted = english[key];
      if (wanted === undefined) return [];
      if ((typeof text === 'string') !== (typeof wanted === 'string')) return [`${key}: plural forms`];
      const forms = formsOf(text);
      if (typeof text !== 'string' && String(forms.map(([name]) => name).toSorted()) !== String(categories)) {
        return [`${key}: must have the forms ${categories.join(', ')}`];
      }
      const names = placeholdersOf(wanted).toSorted();
      return forms
        .filter(([category, form]) => {
          const own = placeholdersOf(form);
          const isWord = WORDS.includes(category);
          return String((isWord ? [...new Set([...own, 'count'])] : own).toSorted()) !== String(names);
        })
        .map(([category]) => `${key} ${category}: must have the placeholders ${names.join(', ')}`);
    });
    expect(problems).toEqual([]);
  });

  it.each(OTHERS)('are not English in %s', (language) => {
    const left = Object.entries(readCatalogue(folder, language)).filter(
      ([key, text]) =>
        JSON.stringify(text) === JSON.stringify(english[key]) &&
        // Single words may be the same.
        /\p{L} \p{L}/u.test(
          formsOf(text)
            .join()
            .replaceAll(/\{\w+\}/g, ''),
        ),
    );
    expect(left).toEqual([]);
  });

  it.each(LANGUAGES)('keep the typography of %s', (language) => {
    const isWrong = TYPOGRAPHY[language];
    const texts = Object.values(readCatalogue(folder, language)).flatMap(formsOf);
    expect(
      texts.map(([, text]) => text).filter((text) => isWrong.test(text) || /\.\.\.|'| {2}/.test(text)),
    ).toEqual([]);
  });

  it('are all used', () => {
    const all = sources.map(({ source }) => source).join('\n');
    const prefixes = [...all.matchAll(/`([\w-]+(?:\.[\w-]+)*\.)\$\{/g)].map(([, prefix]) => prefix ?? '');
    const unused = keys.filter(
      (key) => !all.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)),
    );
    expect(unused).toEqual([]);
  });
});

/** What a text in the language must not contain. */
const TYPOGRAPHY: Readonly<Record<(typeof LANGUAGES)[number], RegExp>> = {
  en: /"/,
  de: /["”]|“[^“„]*“|\S…/,
  // Punctuation of two parts has a no-break space before it, and quotation marks have one inside.
  fr: /["“”]|[^\u202f\u00a0](?:[;?!»]|:(?!\/\/|$))|[^\u202f\u00a0]:$|«[^\u202f\u00a0]/,
  es: /["“”]|\?(?<!¿.*)|!(?<!¡.*)/,
  it: /["“”]/,
  nl: /["“”]/,
  'pt-BR': /["«»]/,
  pl: /["“«»]/,
  ja: /["“”]|[\u3040-\u30ff\u4e00-\u9fff] ?[,.:;?!()]|[(] ?[\u3040-\u30ff\u4e00-\u9fff]/,
  ar: /["“”]|[\u0600-\u06ff][,;?]/,
};

describe('the sources of the pages', () => {
  it.each(sources.filter(({ path }) => !NAMES.test(path)))('hold no texts ($path)', ({ path, source }) => {
    expect(path.endsWith('.svelte') ? textsOfComponent(source) : textsOfScript(source)).toEqual([]);
  });
});

describe('the check of the sources', () => {
  it('finds texts in components', () => {
    const source = `
      <script lang="ts">const message = 'Please wait.'; throw new Error('No row has it.');</script>
      <p class="a b" title="Read this">{isBusy ? 'Saving…' : t('save')} now, {count === 'one' ? 1 : 2}</p>`;
    expect(textsOfComponent(source)).toEqual(['Read this', 'Saving…', 'now,', 'Please wait.']);
  });
});
