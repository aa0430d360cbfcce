/** The schema that rewritten documents are executed on: the public one, and the fields that they were given. */

import { GraphQLScalarType } from 'graphql';

import { templateOf } from '../../../domain/location-template.ts';
import type { MapRecord } from '../../../domain/map.ts';
import type { PagingArguments } from '../../../domain/paging.ts';
import type { RequestContext } from '../../context.ts';
import { readLocationPage } from '../../location-page.ts';
import type { LocationPage } from '../../sources.ts';

/** Of `Map`, in the place of `locations`. */
export const JSON_PAGE = '_locationsJson';
/** Of `LocationConnection`, in the place of `nodes`. */
export const JSON_NODES = '_nodesJson';
export const TEMPLATE = 'template';

export const JSON_PAGES_SDL = `
  scalar _Json

  extend type Map {
    ${JSON_PAGE}(first: Int, after: String, last: Int, before: String, ${TEMPLATE}: String!): LocationConnection
  }

  extend type LocationConnection {
    ${JSON_NODES}: _Json!
  }
`;

export const jsonPageResolvers = {
  _Json: new GraphQLScalarType({ name: '_Json' }),
  Map: {
    [JSON_PAGE]: (
      map: MapRecord,
      { template, ...args }: PagingArguments & { readonly template: string },
      { allowance, scope, services }: RequestContext,
    ): Promise<LocationPage> =>
      readLocationPage(map, args, { allowance, services }, (request) =>
        services.locations.listLocationsJson(scope, map, request, templateOf(template)),
      ),
  },
  LocationConnection: {
    [JSON_NODES]: ({ json }: LocationPage) => json,
  },
};
