/** Formats field values for display. Values are untrusted: anything not known to be safe is shown as text. */

import { textOf } from './text.ts';

export type FieldType =
  | 'text'
  | 'date'
  | 'tag'
  | 'cta'
  | 'audio'
  | 'website'
  | 'phone'
  | 'address'
  | 'description'
  | 'image_link'
  | 'category'
  | 'placeName'
  | 'number'
  | 'openingHours';

export type ShownValue =
  | { readonly kind: 'text'; readonly text: string }
  /** `text` is the URL in a form that cannot mislead: the host name in ASCII, no control characters. */
  | { readonly kind: 'link' | 'button' | 'image' | 'audio'; readonly href: string; readonly text: string }
  | { readonly kind: 'phone'; readonly href: string; readonly text: string }
  | { readonly kind: 'tags'; readonly items: readonly string[] }
  /** `dateTime` is the value for the attribute of `<time>`. */
  | { readonly kind: 'date'; readonly dateTime: string; readonly text: string };

export interface Reader {
  /** BCP 47; undefined for the browser's default. */
  readonly locale: string | undefined;
  /** IANA; undefined for the browser's default. */
  readonly timeZone: string | undefined;
  /** Origins whose images and audio are loaded; others become links. */
  readonly mediaOrigins: readonly string[];
}

/** Null if there is nothing to show. */
export function showValue(type: FieldType, value: unknown, reader: Reader): ShownValue | null {
  if (value === null || value === undefined) return null;
  const shown = SHOW[type](value, reader);
  if (shown.kind === 'tags') return shown.items.length === 0 ? null : shown;
  return shown.text === '' ? null : shown;
}

type Show = (value: unknown, reader: Reader) => ShownValue;

const showText: Show = (value) => ({ kind: 'text', text: textOf(value) });

const showMedia =
  (kind: 'image' | 'audio'): Show =>
  (value, { mediaOrigins }) => {
    const link = linkOf(value);
    if (link === null) return showText(value, DEFAULT_READER);
    return { ...link, kind: mediaOrigins.includes(new URL(link.href).origin) ? kind : 'link' };
  };

const showLink =
  (kind: 'link' | 'button'): Show =>
  (value, reader) => {
    const link = linkOf(value);
    return link === null ? showText(value, reader) : { ...link, kind };
  };

const DEFAULT_READER: Reader = { locale: undefined, timeZone: undefined, mediaOrigins: [] };

const SHOW: Readonly<Record<FieldType, Show>> = {
  text: showText,
  description: showText,
  address: showText,
  category: showText,
  placeName: showText,
  website: showLink('link'),
  cta: showLink('button'),
  image_link: showMedia('image'),
  audio: showMedia('audio'),
  phone: showPhone,
  tag: showTags,
  date: showDate,
  number: showNumber,
  openingHours: showText,
};

/** An absolute http(s) URL without whitespace. Browsers remove some whitespace, so the target would differ from the text. */
const ABSOLUTE_URL = /^https?:\/\/[^\s\p{Cc}]+$/iu;

function linkOf(value: unknown): { href: string; text: string } | null {
  const text = textOf(value);
  if (!ABSOLUTE_URL.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return { href: url.href, text: url.host + (url.pathname === '/' ? '' : url.pathname) + url.search };
}

function showPhone(value: unknown): ShownValue {
  const text = textOf(value);
  const digits = text.replace(/[^0-9]/g, '');
  if (digits === '' || typeof value === 'object') return { kind: 'text', text };
  return { kind: 'phone', href: `tel:${/^[^0-9]*\+/.test(text) ? '+' : ''}${digits}`, text };
}

function showTags(value: unknown): ShownValue {
  const items = Array.isArray(value) ? value.map(textOf) : textOf(value).split(',');
  return { kind: 'tags', items: items.map((item) => item.trim()).filter((item) => item !== '') };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

function showDate(value: unknown, { locale, timeZone }: Reader): ShownValue {
  const text = textOf(value);
  const isDay = DAY.test(text);
  const time = isDay || INSTANT.test(text) ? new Date(text.toUpperCase()) : null;
  if (time === null || Number.isNaN(time.getTime()) || (isDay && time.toISOString().slice(0, 10) !== text)) {
    return { kind: 'text', text };
  }
  const format = isDay
    ? new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
    : new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
  return { kind: 'date', dateTime: isDay ? text : time.toISOString(), text: format.format(time) };
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Doubles represent this many decimal digits exactly. */
const EXACT_DIGITS = 15;

function showNumber(value: unknown, { locale }: Reader): ShownValue {
  const text = textOf(value);
  const digits = text.replace(/\D/g, '').length;
  if (!DECIMAL.test(text) || digits > EXACT_DIGITS) return { kind: 'text', text };
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
  return { kind: 'text', text: format.format(Number(text)) };
}
