import * as z from 'zod';

import { isMapId } from '../../domain/ids.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import { cursorArgument, limitArgument, nextCursorSchema, searchArgument } from '../arguments.ts';
import { fitRows } from '../result-size.ts';
import type { McpSession } from '../tool.ts';
import { defineTool, execute, NOTICE, noticeSchema, operationOf, READ_ONLY, withContext } from '../tool.ts';

const SELECTION = 'id name isPublished updatedAt';

const OWN_MAPS = operationOf(`
  query list_maps($limit: Int!, $cursor: String, $search: String) {
    viewer {
      maps(first: $limit, after: $cursor, filter: { isDeleted: false, search: $search }) {
        edges { cursor node { ${SELECTION} } }
        pageInfo { hasNextPage }
      }
    }
  }
`);

const PUBLISHED_MAP = operationOf(`query list_maps($id: ID!) { map: publicMap(id: $id) { ${SELECTION} } }`);

const mapSchema = z.object({
  id: z.string(),
  name: z.string(),
  isPublished: z.boolean(),
  updatedAt: z.string().describe('When the map, not its locations, last changed.'),
});

type ListedMap = z.infer<typeof mapSchema>;

interface OwnMaps {
  readonly viewer: {
    readonly maps: {
      readonly edges: readonly { readonly cursor: string; readonly node: ListedMap }[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    };
  };
}

interface Paging {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly search?: string | undefined;
}

export const listMaps = defineTool({
  name: 'list_maps',
  title: 'List maps',
  description:
    'Lists the maps that the token may use, with their ids; without a token, the published maps of the server.',
  input: z.strictObject({
    search: searchArgument('the map’s name').describe(
      'Words of the map’s name, or their beginnings. Needs a token.',
    ),
    limit: limitArgument,
    cursor: cursorArgument,
  }),
  output: z.object({ notice: noticeSchema, maps: z.array(mapSchema), nextCursor: nextCursorSchema }),
  annotations: READ_ONLY,
  isAllowed: () => true,
  run: async (args, session) => {
    const { rows, hasMore } = await (session.caller === null ? readPublished : readOwn)(session, args);
    const { values, nextCursor } = fitRows(rows, { notice: NOTICE, maps: [] }, hasMore);
    return { notice: NOTICE, maps: values, nextCursor };
  },
});

function readOwn(session: McpSession, { limit, cursor, search }: Paging) {
  return withContext(session, async (context) => {
    const variables = { limit, cursor, search };
    const { viewer } = await execute<OwnMaps>(session, context, OWN_MAPS, variables);
    const { edges, pageInfo } = viewer.maps;
    return {
      rows: edges.map(({ cursor: after, node }) => ({ value: node, cursor: after })),
      hasMore: pageInfo.hasNextPage,
    };
  });
}

/** Lists them by id. The cursor is the id of the last. */
function readPublished(session: McpSession, { limit, cursor = '', search }: Paging) {
  if (search !== undefined) {
    throw badUserInput('search needs a token; without one, list_maps lists all published maps.');
  }
  if (cursor !== '' && !isMapId(cursor)) {
    throw badUserInput('cursor must be the nextCursor of an earlier result.');
  }
  return withContext(session, async (context) => {
    const { scope, services } = context;
    const { ids, next } = await services.publicMaps.listPublishedPage(scope, { after: cursor, limit });
    const maps = await Promise.all(
      ids.map((id) =>
        execute<{ map: ListedMap }>(session, context, PUBLISHED_MAP, { id }).then(
          ({ map }) => [{ value: map, cursor: id }],
          (error: unknown) => {
            // Unpublished since it was listed.
            if (error instanceof ServiceError && error.code === 'MAP_NOT_FOUND') return [];
            throw error;
          },
        ),
      ),
    );
    return { rows: maps.flat(), hasMore: next !== null };
  });
}
