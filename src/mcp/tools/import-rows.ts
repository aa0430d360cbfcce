import * as z from 'zod';

import type { FieldDefinition } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import { cutText } from '../../lib/cut-text.ts';
import { lazy } from '../../lib/lazy.ts';
import type { ReportedColumn } from '../../transfer/columns/column-report.ts';
import type { RowInput } from '../../transfer/columns/row-mapper.ts';
import { idempotencyKeyArgument, mapIdArgument } from '../arguments.ts';
import { fitRows, shortenFields } from '../result-size.ts';
import {
  defineTool,
  execute,
  mayWrite,
  NOTICE,
  noticeSchema,
  operationOf,
  withContext,
  WRITES,
} from '../tool.ts';

/** The readers of files, which no other tool needs. */
const rowReader = lazy(() => import('../rows.ts'));

const MAX_ROWS = 500;
/** Of the columns in the result. */
const MAX_COLUMN_CHARACTERS = 10_000;
const MAX_NAME_LENGTH = 80;
const MAX_NOTES = 5;
const MAX_TEXT_LENGTH = 300;
/** Rows that a dry run shows as they would be stored. */
const SAMPLES = 3;
const MAX_SAMPLE_CHARACTERS = 1_500;

const FIELDS = operationOf(
  'query import_rows($mapId: ID!) { map(id: $mapId) { fields { name type isPublic } } }',
);

const IMPORT = operationOf(`
  mutation import_rows(
    $mapId: ID!, $locations: [CreateLocationsItemInput!]!, $dryRun: Boolean!, $idempotencyKey: String
  ) {
    createLocations(
      input: { mapId: $mapId, locations: $locations, dryRun: $dryRun, idempotencyKey: $idempotencyKey }
    ) {
      results { error { code message } }
    }
  }
`);

interface Imported {
  readonly createLocations: {
    readonly results: readonly {
      readonly error: { readonly code: string; readonly message: string } | null;
    }[];
  };
}

const columnSchema = z.object({
  column: z.string(),
  use: z.string().describe('What it becomes: a field, a property, the point, the external id, or nothing.'),
  field: z.string().nullable().describe('The name of the field or property.'),
});

const rejectedSchema = z.object({ row: z.int().describe('From 1.'), error: z.string() });

export const importRows = defineTool({
  name: 'import_rows',
  title: 'Import rows',
  description: `Adds a location for each row of a table to the end of a map’s list. Without confirm it only checks: it stores nothing and geocodes nothing. Call it so first, show the result to the user, then repeat it with confirm. Stores the good rows, and reports the others. At most ${MAX_ROWS} rows a call.`,
  input: z.strictObject({
    mapId: mapIdArgument,
    rows: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(MAX_ROWS)
      .describe(
        'Objects of values by column. Columns named like a field of the map become that field; latitude and longitude the point, without which the address is geocoded; externalId your own id; others a property.',
      ),
    confirm: z.boolean().default(false).describe('True to store the rows.'),
    idempotencyKey: idempotencyKeyArgument,
  }),
  output: z.object({
    notice: noticeSchema,
    isDryRun: z.boolean().describe('True: nothing was stored.'),
    rowCount: z.int(),
    storedCount: z.int().describe('Rows that were stored; in a dry run, that would be.'),
    rejectedCount: z.int(),
    geocodedCount: z.int().describe('Of those with storedCount, rows whose point comes from their address.'),
    columns: z.array(columnSchema),
    omittedColumns: z.int().optional(),
    notes: z.array(z.string()).describe('About data that is dropped or changed.'),
    sample: z
      .array(
        z.object({
          row: z.int(),
          fields: z.record(z.string(), z.unknown()),
          latitude: z.number().optional(),
          longitude: z.number().optional(),
          externalId: z.string().optional(),
        }),
      )
      .optional()
      .describe('In a dry run: the first rows as they would be stored. Long values are cut.'),
    rejected: z.array(rejectedSchema).describe('Rows that are not stored, and why.'),
    omittedRejected: z.int().optional().describe('Further rejected rows, for which there is no space.'),
  }),
  annotations: { ...WRITES, destructiveHint: false, openWorldHint: true },
  isAllowed: mayWrite,
  run: ({ mapId, rows, confirm, idempotencyKey }, session) =>
    withContext(session, async (context) => {
      // The mutation makes the same check, but is not executed if all rows are rejected here.
      await context.services.authorize(context.scope, mapId, { role: 'editor' });
      const { map } = await execute<{ readonly map: { readonly fields: readonly FieldDefinition[] } }>(
        session,
        context,
        FIELDS,
        { mapId },
      );
      const { readRows } = await rowReader.get();
      const read = await readRows(rows, map.fields);
      const outcomes: Outcome[] = read.inputs.map((input, index) => ({ row: index + 1, input }));
      const valid = outcomes.filter(isValid);
      if (valid.length > 0) {
        const locations = valid.map(({ input }) => toItem(input));
        const variables = { mapId, locations, dryRun: !confirm, idempotencyKey };
        const { createLocations } = await execute<Imported>(session, context, IMPORT, variables);
        for (const [index, { error }] of createLocations.results.entries()) {
          const outcome = valid[index];
          if (outcome !== undefined && error !== null) outcome.error = `${error.code}: ${error.message}`;
        }
      }
      return toResult(outcomes, { ...read, isDryRun: !confirm });
    }),
});

interface Outcome {
  readonly row: number;
  readonly input: RowInput | ServiceError;
  /** Why the server refuses the row. */
  error?: string;
}

type ValidOutcome = Outcome & { readonly input: RowInput };

function isValid(outcome: Outcome): outcome is ValidOutcome {
  return !(outcome.input instanceof ServiceError);
}

function toItem({ fields, position, order, externalId }: RowInput) {
  return { fields, position, order, externalId };
}

function toResult(
  outcomes: readonly Outcome[],
  {
    isDryRun,
    columns,
    notes,
  }: { isDryRun: boolean; columns: readonly ReportedColumn[]; notes: readonly string[] },
) {
  const stored = outcomes.filter(isValid).filter(({ error }) => error === undefined);
  const rejected = outcomes.flatMap(({ row, input, error }) => {
    const reason = input instanceof ServiceError ? `${input.code}: ${input.message}` : error;
    return reason === undefined ? [] : [{ row, error: cutText(reason, MAX_TEXT_LENGTH) }];
  });
  const shown = fitColumns(columns);
  const result = {
    notice: NOTICE,
    isDryRun,
    rowCount: outcomes.length,
    storedCount: stored.length,
    rejectedCount: rejected.length,
    geocodedCount: stored.filter(({ input }) => input.position === null).length,
    columns: shown,
    ...(columns.length > shown.length && { omittedColumns: columns.length - shown.length }),
    notes: notes.slice(0, MAX_NOTES).map((note) => cutText(note, MAX_TEXT_LENGTH)),
    ...(isDryRun && { sample: stored.slice(0, SAMPLES).map(toSample) }),
  };
  const { values } = fitRows(
    rejected.map((value) => ({ value, cursor: '' })),
    { ...result, rejected: [], omittedRejected: rejected.length },
    false,
  );
  const omittedRejected = rejected.length - values.length;
  return { ...result, rejected: values, ...(omittedRejected > 0 && { omittedRejected }) };
}

function fitColumns(columns: readonly ReportedColumn[]): z.infer<typeof columnSchema>[] {
  const shown: z.infer<typeof columnSchema>[] = [];
  let characters = 0;
  for (const { column, use, name } of columns) {
    const value = {
      column: cutText(column, MAX_NAME_LENGTH),
      use,
      field: name === null ? null : cutText(name, MAX_NAME_LENGTH),
    };
    characters += JSON.stringify(value).length;
    if (characters > MAX_COLUMN_CHARACTERS) break;
    shown.push(value);
  }
  return shown;
}

function toSample({ row, input: { fields, position, externalId } }: ValidOutcome) {
  return {
    row,
    fields: shortenFields(fields, MAX_SAMPLE_CHARACTERS).fields,
    ...(position !== null && { latitude: position.latitude, longitude: position.longitude }),
    ...(externalId !== null && { externalId: cutText(externalId, MAX_NAME_LENGTH) }),
  };
}
