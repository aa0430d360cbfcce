/** Fields for our own documents, hidden from clients: pages as JSON, and their sort keys. */

import type { GraphQLSchema } from 'graphql';
import { GraphQLScalarType, isObjectType } from 'graphql';

import type { MapView } from '../../../domain/public-view.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import type { Caller } from '../../../services/caller.ts';
import type { RequestContext } from '../../context.ts';
import type { ReadSearch } from '../../pages/locations.ts';
import { searchMap, searchMaps, readSearch, listLocations } from '../../pages/locations.ts';
import type { MapLocationsArgs, ViewerLocationsArgs } from '../../generated/schema.ts';
import type { LocationPage } from '../../source-types.ts';
import { templateOf } from './templates.ts';

/** The field that replaces `locations`, on the types that have it. */
export const JSON_PAGE = '_locationsJson';
export const JSON_PAGE_TYPES: readonly string[] = ['Map', 'Viewer'];
/** Field of `LocationConnection` that replaces `nodes`. */
export const JSON_NODES = '_nodesJson';
/** Field of `LocationConnection`: the sort key of the end cursor. */
export const LAST_KEY = '_lastKey';
export const TEMPLATE = 'template';
/** The template of a page that is not read; its arguments are still checked. */
export const UNREAD = '';
/** Argument like `after`, for documents that have the sort key itself. */
export const AFTER_KEY = 'afterKey';

/** @param schema its `locations` define the arguments of pages as JSON */
export function privateTypeDefs(schema: GraphQLSchema): string {
  return `
    scalar _Json
    scalar _SortKey

    ${JSON_PAGE_TYPES.map((type) => extensionOf(schema, type)).join('\n')}

    extend type LocationConnection {
      ${JSON_NODES}: _Json!
      ${LAST_KEY}: _SortKey
    }
  `;
}

function extensionOf(schema: GraphQLSchema, name: string): string {
  const type = schema.getType(name);
  const locations = isObjectType(type) ? type.getFields()['locations'] : undefined;
  if (locations === undefined) throw new Error(`The schema has no ${name}.locations.`);
  const own = [`${TEMPLATE}: String!`, ...(name === 'Map' ? [`${AFTER_KEY}: _SortKey`] : [])];
  const shared = locations.args.map(
    ({ name: argument, type: argumentType }) => `${argument}: ${String(argumentType)}`,
  );
  return `extend type ${name} { ${JSON_PAGE}(${[...shared, ...own].join(', ')}): ${String(locations.type)} }`;
}

interface Templated {
  readonly template: string;
}

type MapPageArguments = MapLocationsArgs & Templated & { readonly afterKey?: SortKey | null };

const NOT_READ = Promise.resolve({ count: 0, first: null, last: null, next: null });

/** Reads search results as JSON. */
function readJson({ template }: Templated): ReadSearch {
  return (search, request, { scope, services }) =>
    template === UNREAD
      ? NOT_READ
      : services.search.findLocationsJson(scope, search, request, templateOf(template));
}

/** As `Map.locations`. */
function locationsOfMap(
  map: MapView,
  args: MapPageArguments,
  context: RequestContext,
): Promise<LocationPage> {
  const search = readSearch(args);
  if (search !== null) return searchMap(map, search, args, context, readJson(args));
  const { scope, services } = context;
  return listLocations(map, args, context, (request) =>
    args.template === UNREAD
      ? NOT_READ
      : services.locations.listLocationsJson(scope, map, request, templateOf(args.template)),
  );
}

export const privateResolvers = {
  _Json: new GraphQLScalarType({ name: '_Json' }),
  _SortKey: new GraphQLScalarType({ name: '_SortKey' }),
  Map: { [JSON_PAGE]: locationsOfMap },
  Viewer: {
    [JSON_PAGE]: (caller: Caller, args: ViewerLocationsArgs & Templated, context: RequestContext) =>
      searchMaps(caller, args, context, readJson(args)),
  },
  LocationConnection: {
    [JSON_NODES]: ({ json }: LocationPage) => json,
    [LAST_KEY]: ({ last }: LocationPage) => last,
  },
};
