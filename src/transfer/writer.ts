/** What a whole map is written as. */

import type { JsonObject } from '../domain/json/json.ts';
import type { LocationTemplate, TemplateSource } from '../domain/location-template.ts';
import { createTemplate } from '../domain/location-template.ts';
import type { Delimiter } from './csv/delimiter.ts';

/** Plain data: it is sent to threads. */
export interface WriterOptions {
  /** Names of the map's fields, in their order. */
  readonly fields: readonly string[];
  /** For a person's spreadsheet instead of a program. CSV alone has another form for it. */
  readonly isForSpreadsheet: boolean;
  /** Between the cells of a CSV file; by default a comma. */
  readonly delimiter?: Delimiter;
  /** In the public view: the values of these fields alone, and no external ids. */
  readonly isPublic?: boolean;
  /** Over how many columns a table's `more` goes: cells of some formats are limited. By default one. */
  readonly moreColumns?: number;
}

/** How a format writes a map: the head, the locations one after another, the tail. */
export type ExportWriter = {
  readonly head: string;
  /** How the text of every location begins. The first one is written without it. */
  readonly lead: string;
  readonly tail: string;
} & (
  | {
      readonly kind: 'json';
      /** Of one location, its lead included. */
      readonly template: LocationTemplate;
    }
  | {
      readonly kind: 'records';
      /** Of one location, its lead included. */
      readonly textOf: (location: Omit<TemplateSource, 'properties'>, properties: JsonObject) => string;
    }
  | {
      readonly kind: 'lines';
      readonly lineOf: (location: LineSource) => string;
      /** Whether the lines need the names of the locations. Else none is read. */
      readonly hasNames?: boolean;
    }
);

/** What a line is made of. */
export interface LineSource {
  readonly id: string;
  readonly externalId: string | null;
  readonly order: string;
  /** Plain decimals. */
  readonly lat: string;
  readonly lng: string;
  readonly placeId: string;
  /** As JSON. */
  readonly properties: string;
  /** Empty where the writer has not asked for it. */
  readonly name: string;
}

/** The properties of each location, on a line of its own: for formats that have to know them before they begin. */
export const PROPERTIES_WRITER: ExportWriter = {
  kind: 'json',
  head: '',
  lead: '',
  template: createTemplate([{ value: 'properties' }, { text: '\n' }]),
  tail: '',
};
