/**
 * The page's language: its texts and its formats. Texts are in the catalogues (languages/*.json): each is a text with
 * `{placeholders}`, or an object of such texts by the plural category of its placeholder `count`.
 */

import type { SharedMessages } from '../generated/messages.ts';
import english from '../languages/en.json' with { type: 'json' };
import { isolated } from '../text.ts';
import type { Language } from './languages.ts';
import { directionOf } from './languages.ts';

type Text = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
export type Catalogue = Readonly<Record<string, Text>>;

/** By key, the names of its placeholders; never if it has none. Generated from en.json. */
type Messages = SharedMessages;

type Values<Names extends string> = {
  readonly [Name in Names]: Name extends 'count' ? number : string | number;
};

/** The text of a key. Numbers among the values are formatted. */
export type Translate<M> = <Key extends keyof M & string>(
  key: Key,
  ...values: M[Key] extends string ? ([M[Key]] extends [never] ? [] : [values: Values<M[Key]>]) : never
) => string;

let current: LanguageChoice = { language: 'en', locale: 'en', usesMiles: false, texts: {} };
let plurals = new Intl.PluralRules(current.language);
let fallback: Catalogue = english;

/** Adds a page's English texts to those of the shared parts. English is part of the scripts; others are loaded. */
export function translatorOf<M>(texts: Catalogue): Translate<M> {
  fallback = { ...fallback, ...texts };
  return translate;
}

/** For the parts that pages share. A page has its own, which knows its texts, too. */
export const t = translatorOf<Messages>({});

function translate(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  const text = current.texts[key] ?? fallback[key] ?? key;
  const chosen =
    typeof text === 'string' ? text : (text[plurals.select(Number(values['count']))] ?? text.other ?? key);
  return chosen.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    if (typeof value === 'number') return formatNumber(value);
    // A value may be written from left to right within a text from right to left.
    return directionOf(current.language) === 'rtl' ? isolated(value) : value;
  });
}

export interface LanguageChoice {
  readonly language: Language;
  /** BCP 47, for Intl. */
  readonly locale: string;
  readonly usesMiles: boolean;
  /** Its texts; those that are missing are in English. */
  readonly texts: Catalogue;
}

/** Texts that are already drawn do not change. */
export function setLanguage(choice: LanguageChoice): void {
  current = choice;
  plurals = new Intl.PluralRules(choice.language);
}

export function currentLanguage(): Language {
  return current.language;
}

/** BCP 47, for Intl. */
export function currentLocale(): string {
  return current.locale;
}

export function isRightToLeft(): boolean {
  return directionOf(current.language) === 'rtl';
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(current.locale, options).format(value);
}

export function formatDate(date: Date | string | number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(current.locale, options).format(new Date(date));
}

const METRES_PER = { mile: 1_609.344, foot: 0.3048, kilometer: 1_000, meter: 1 };

/** A distance in the units of the reader's region: kilometres or miles, and metres or feet below a tenth of a mile. */
export function formatDistance(metres: number): string {
  const [large, small] = current.usesMiles ? (['mile', 'foot'] as const) : (['kilometer', 'meter'] as const);
  const isSmall = metres < (large === 'mile' ? METRES_PER.mile / 10 : METRES_PER.kilometer);
  const unit = isSmall ? small : large;
  const value = metres / METRES_PER[unit];
  return formatNumber(value, { style: 'unit', unit, maximumFractionDigits: isSmall || value >= 10 ? 0 : 1 });
}
