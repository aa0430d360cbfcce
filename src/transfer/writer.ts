/** The port of export writers. */

import type { Color } from '../domain/accent.ts';
import type { JsonObject } from '../domain/json/json.ts';
import type { LocationTemplate, TemplateSource } from '../domain/location-template.ts';
import { createTemplate } from '../domain/location-template.ts';
import type { Attribution } from '../domain/attribution.ts';
import type { Delimiter } from './csv/delimiter.ts';

/** The colours of the map's categories. */
export interface ExportCategories {
  /** The category field. */
  readonly field: string;
  /** By value of the field, as text. */
  readonly colors: readonly (readonly [category: string, color: Color])[];
}

/** Plain data, because it is sent to threads. */
export interface WriterOptions {
  /** Names of the map's fields, in order. */
  readonly fields: readonly string[];
  /** For a spreadsheet instead of a program. Only CSV differs. */
  readonly isForSpreadsheet: boolean;
  /** Of a CSV file; a comma by default. */
  readonly delimiter?: Delimiter;
  /** Writes the public view: only these fields, and no external ids. */
  readonly isPublic?: boolean;
  /** What must be shown with the points; absent or empty for nothing. CSV and XLSX have no place for it. */
  readonly attributions?: readonly Attribution[];
  /** Absent if the map has no category field. Only KML shows colours. */
  readonly categories?: ExportCategories;
  /** Number of columns for `more`, in formats with limited cells; 1 by default. */
  readonly moreColumns?: number;
}

/** Writes a map as a head, its locations, and a tail. */
export type ExportWriter = {
  readonly head: string;
  /** The start of every location's text, omitted for the first one. */
  readonly lead: string;
  readonly tail: string;
} & (
  | {
      readonly kind: 'json';
      /** The text of a location, including its lead. */
      readonly template: LocationTemplate;
    }
  | {
      readonly kind: 'records';
      /** The text of a location, including its lead. */
      readonly textOf: (location: Omit<TemplateSource, 'properties'>, properties: JsonObject) => string;
    }
  | {
      readonly kind: 'lines';
      readonly lineOf: (location: LineSource) => string;
      /** True if the lines need the names of locations, which are otherwise not read. */
      readonly hasNames?: boolean;
    }
);

/** A location as the input of a line. */
export interface LineSource {
  readonly id: string;
  readonly externalId: string | null;
  readonly order: string;
  /** Plain decimals. */
  readonly lat: string;
  readonly lng: string;
  readonly placeId: string;
  /** JSON. */
  readonly properties: string;
  /** Empty unless the writer has `hasNames`. */
  readonly name: string;
}

/** Writes the properties of each location on a line, for formats that need them before they start. */
export const PROPERTIES_WRITER: ExportWriter = {
  kind: 'json',
  head: '',
  lead: '',
  template: createTemplate([{ value: 'properties' }, { text: '\n' }]),
  tail: '',
};
