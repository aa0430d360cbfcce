/** Checks the texts that a page shows: their language and that they fit. */

import { readFileSync } from 'node:fs';

import type { Page } from 'playwright-core';

import type { Text } from '../../scripts/catalogues.mjs';
import type { Language } from '../../web/shared/i18n/languages.ts';

export interface TextProblems {
  /** Texts in English, or keys without a text. */
  readonly untranslated: readonly string[];
  /** Texts that are cut off, lie over others, or make the page scroll sideways. */
  readonly misplaced: readonly string[];
}

export function catalogueOf(folder: string, language: Language): Readonly<Record<string, Text>> {
  return JSON.parse(readFileSync(`web/${folder}/languages/${language}.json`, 'utf8')) as Record<string, Text>;
}

/**
 * @param folders of the catalogues of the page, below web/
 * @param options.scope selector of the elements that are checked, such as an open menu
 * @param options.data texts of the map, which may be the same as English ones
 */
export async function problemsOfTexts(
  page: Page,
  language: Language,
  folders: readonly string[],
  { scope = 'body', data = [] }: { readonly scope?: string; readonly data?: readonly string[] } = {},
): Promise<TextProblems> {
  const texts = (of: Language) =>
    folders.flatMap((folder) => Object.values(catalogueOf(folder, of))).flatMap(fixedForms);
  const own = new Set(texts(language));
  const foreign = language === 'en' ? [] : texts('en').filter((text) => !own.has(text));
  const { shown, misplaced } = await page.evaluate<{ shown: string[]; misplaced: string[] }>(
    `(${READ_TEXTS})(${JSON.stringify(scope)})`,
  );
  const english = new Set(foreign.filter((text) => !data.includes(text)));
  return {
    untranslated: shown.filter((text) => english.has(text) || /^[a-z]\w*(?:\.\w+)+$/.test(text)),
    misplaced,
  };
}

/** The forms without placeholders, which are shown as they are. */
function fixedForms(text: Text): string[] {
  const forms = typeof text === 'string' ? [text] : Object.values(text);
  return forms.map((form) => form.trim()).filter((form) => !form.includes('{') && /\p{L}/u.test(form));
}

/** Runs in the page. */
const READ_TEXTS = String.raw`(scope) => {
  const ATTRIBUTES = ['aria-label', 'title', 'placeholder', 'alt'];
  const shown = [];
  const misplaced = [];
  const leaves = [];
  const root = document.querySelector(scope);
  // For screen readers only.
  const isClipped = (element) => element !== null && (getComputedStyle(element).clipPath === 'inset(50%)' || isClipped(element.parentElement));
  const isHidden = (element) => isClipped(element) || element.closest('noscript, script, datalist, .skip, .map-canvas, [hidden]') !== null ||
    !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  for (const element of [root, ...root.querySelectorAll('*')])
    for (const name of ATTRIBUTES) if (element.hasAttribute(name)) shown.push(element.getAttribute(name).trim());
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.data.trim();
    const element = node.parentElement;
    if (text === '' || element.closest('script, noscript, style') !== null) continue;
    shown.push(text);
    if (isHidden(element) || element.closest('option, svg') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) if (rect.width > 1) leaves.push({ text, element, rect });
  }
  // A text that is cut off. Names of locations, which may be long, end in an ellipsis.
  for (const { text, element, rect } of leaves) {
    let isShortened = false;
    for (let box = element; box !== null && box !== document.documentElement; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.textOverflow === 'ellipsis') {
        isShortened = true;
        break;
      }
      const outer = box.getBoundingClientRect();
      const cuts = (axis) => ['hidden', 'clip'].includes(style['overflow' + axis]);
      const scrolls = (axis) => ['auto', 'scroll'].includes(style['overflow' + axis]);
      if (cuts('X') && (rect.left < outer.left - 1.5 || rect.right > outer.right + 1.5)) misplaced.push('cut off: ' + text);
      // Rows of lists that scroll are cut off at their edges.
      if (cuts('Y') && (rect.top < outer.top - 1.5 || rect.bottom > outer.bottom + 1.5)) misplaced.push('cut off: ' + text);
      if (scrolls('X') && (rect.left < outer.left - 1.5 || rect.right > outer.right + 1.5)) misplaced.push('scrolls sideways: ' + text);
      if (scrolls('Y')) break;
    }
    if (isShortened) continue;
    if (rect.left < -1.5 || rect.right > innerWidth + 1.5) misplaced.push('outside: ' + text);
  }
  // A text over another.
  const onTop = leaves.filter(({ element, rect }) => {
    if (getComputedStyle(element).textOverflow === 'ellipsis') return false;
    const hit = document.elementFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });
  onTop.forEach((one, index) => {
    for (const other of onTop.slice(index + 1)) {
      const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const height = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      if (one.text !== other.text && width > 3 && height > 6) misplaced.push('overlap: ' + one.text + ' | ' + other.text);
    }
  });
  // Texts of inputs, which have no boxes.
  const context = document.createElement('canvas').getContext('2d');
  for (const input of root.querySelectorAll('input, select')) {
    if (isHidden(input)) continue;
    const text = input.localName === 'select' ? (input.selectedOptions[0]?.text ?? '') : input.value || input.placeholder;
    if (['checkbox', 'radio', 'range', 'file', 'color', 'hidden'].includes(input.type)) continue;
    const style = getComputedStyle(input);
    context.font = style.font;
    const room = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - (input.localName === 'select' ? 20 : 0);
    if (input.value === '' || input.localName === 'select') if (context.measureText(text).width > room + 1) misplaced.push('cut off: ' + text);
  }
  for (const element of [document.documentElement, document.body])
    if (element.scrollWidth > innerWidth) misplaced.push('the page scrolls sideways');
  return { shown, misplaced: [...new Set(misplaced)] };
}`;
