/** HTML made of templates, in which every value is escaped that is not HTML itself. */

import { escapeAnywhere } from '../escape.ts';

export interface Html {
  readonly html: string;
}

export type HtmlValue = string | number | Html | null | readonly HtmlValue[];

export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { html: String.raw({ raw: strings }, ...values.map(textOf)) };
}

function textOf(value: HtmlValue): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeAnywhere(String(value));
  return 'html' in value ? value.html : value.map(textOf).join('');
}
