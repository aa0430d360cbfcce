/** Fields that only our own documents ask for, hidden from clients: pages as JSON, and where they begin and end. */

import type { GraphQLSchema } from 'graphql';
import { GraphQLScalarType, isObjectType } from 'graphql';

import type { MapRecord } from '../../../domain/map.ts';
import type { SortKey } from '../../../domain/sort-key.ts';
import type { RequestContext } from '../../context.ts';
import type { MapLocationsArgs } from '../../generated/schema.ts';
import { readLocationPage } from '../../location-page.ts';
import type { LocationPage } from '../../sources.ts';
import { templateOf } from './templates.ts';

/** Field of `Map` that replaces `locations`. */
export const JSON_PAGE = '_locationsJson';
/** Field of `LocationConnection` that replaces `nodes`. */
export const JSON_NODES = '_nodesJson';
/** Field of `LocationConnection`: the sort key that the end cursor stands for. */
export const LAST_KEY = '_lastKey';
export const TEMPLATE = 'template';
/** The template of a page that is not read. Its arguments are checked all the same. */
export const UNREAD = '';
/** Argument like `after`, for a document that has the sort key itself. */
export const AFTER_KEY = 'afterKey';

/** @param schema whose `Map.locations` is read: a page as JSON takes exactly the same arguments */
export function privateTypeDefs(schema: GraphQLSchema): string {
  const map = schema.getType('Map');
  const locations = isObjectType(map) ? map.getFields()['locations'] : undefined;
  if (locations === undefined) throw new Error('The schema has no Map.locations.');
  const own = [`${TEMPLATE}: String!`, `${AFTER_KEY}: _SortKey`];
  const taken = locations.args.map(({ name, type }) => `${name}: ${String(type)}`);
  return `
    scalar _Json
    scalar _SortKey

    extend type Map {
      ${JSON_PAGE}(${[...taken, ...own].join(', ')}): ${String(locations.type)}
    }

    extend type LocationConnection {
      ${JSON_NODES}: _Json!
      ${LAST_KEY}: _SortKey
    }
  `;
}

type JsonPageArguments = MapLocationsArgs & {
  readonly template: string;
  readonly afterKey?: SortKey | null;
};

const NOT_READ = Promise.resolve({ count: 0, first: null, last: null, next: null });

export const privateResolvers = {
  _Json: new GraphQLScalarType({ name: '_Json' }),
  _SortKey: new GraphQLScalarType({ name: '_SortKey' }),
  Map: {
    [JSON_PAGE]: (map: MapRecord, args: JsonPageArguments, context: RequestContext): Promise<LocationPage> =>
      readLocationPage(map, args, context, (request) =>
        args.template === UNREAD
          ? NOT_READ
          : context.services.locations.listLocationsJson(
              context.scope,
              map,
              request,
              templateOf(args.template),
            ),
      ),
  },
  LocationConnection: {
    [JSON_NODES]: ({ json }: LocationPage) => json,
    [LAST_KEY]: ({ last }: LocationPage) => last,
  },
};
