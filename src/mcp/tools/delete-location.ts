import * as z from 'zod';

import { cutText } from '../../lib/cut-text.ts';
import { idempotencyKeyArgument, locationIdArgument, mapIdArgument } from '../arguments.ts';
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

const MAX_NAME_LENGTH = 500;

const DELETE = operationOf(`
  mutation delete_location($mapId: ID!, $id: ID!, $idempotencyKey: String) {
    deleteLocation(input: { mapId: $mapId, id: $id, idempotencyKey: $idempotencyKey }) {
      deletedId
      location { name }
    }
  }
`);

interface Deleted {
  readonly deleteLocation: { readonly deletedId: string; readonly location: { readonly name: string } };
}

const TRASH = operationOf(`
  query delete_location($mapId: ID!, $id: ID!) {
    map(id: $mapId) { trash(first: 1, ids: [$id]) { nodes { keptUntil } } }
  }
`);

interface Trash {
  readonly map: { readonly trash: { readonly nodes: readonly { readonly keptUntil: string }[] } };
}

const IN_TRASH =
  'It is in the trash of the map. A person can restore it in the console, on the map’s page Trash, or by the GraphQL mutation restoreLocations.';
const NOT_IN_TRASH = 'It is not in the trash of the map, so it cannot be restored there.';
const UNKNOWN = 'It is not known whether it is in the trash of the map.';

export const deleteLocation = defineTool({
  name: 'delete_location',
  title: 'Delete a location',
  description:
    'Deletes a location of a map. It stays in the map’s trash for a while, if the server keeps one.',
  input: z.strictObject({
    mapId: mapIdArgument,
    id: locationIdArgument,
    idempotencyKey: idempotencyKeyArgument,
  }),
  output: z.object({
    notice: noticeSchema,
    id: z.string(),
    name: z.string(),
    trashedUntil: z.string().nullable().describe('Until when it can be restored; null: see restore.'),
    restore: z.string().describe('How it can be restored.'),
  }),
  annotations: { ...WRITES, idempotentHint: true },
  isAllowed: mayWrite,
  run: (args, session) =>
    withContext(session, async (context) => {
      const { deleteLocation: deleted } = await execute<Deleted>(session, context, DELETE, args);
      // The location is deleted, whether or not this succeeds.
      const nodes = await execute<Trash>(session, context, TRASH, { mapId: args.mapId, id: args.id }).then(
        ({ map }) => map.trash.nodes,
        () => null,
      );
      return {
        notice: NOTICE,
        id: deleted.deletedId,
        name: cutText(deleted.location.name, MAX_NAME_LENGTH),
        trashedUntil: nodes?.[0]?.keptUntil ?? null,
        restore: nodes === null ? UNKNOWN : nodes.length === 0 ? NOT_IN_TRASH : IN_TRASH,
      };
    }),
});
