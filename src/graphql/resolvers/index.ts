/** The resolver map, without the scalars. The files follow the schema's types. */

import type { Resolvers } from '../generated/schema.ts';
import { Cluster } from './Cluster.ts';
import { Field } from './Field.ts';
import { Location } from './Location.ts';
import { LocationConnection } from './LocationConnection.ts';
import { LocationEdge } from './LocationEdge.ts';
import { Map } from './Map.ts';
import { MapConnection } from './MapConnection.ts';
import { MapEdge } from './MapEdge.ts';
import { createLocation } from './Mutation/createLocation.ts';
import { createLocations } from './Mutation/createLocations.ts';
import { createMap } from './Mutation/createMap.ts';
import { createToken } from './Mutation/createToken.ts';
import { createWebhook } from './Mutation/createWebhook.ts';
import { deleteLocation } from './Mutation/deleteLocation.ts';
import { deleteLocations } from './Mutation/deleteLocations.ts';
import { deleteMap } from './Mutation/deleteMap.ts';
import { deleteWebhook } from './Mutation/deleteWebhook.ts';
import { moveLocations } from './Mutation/moveLocations.ts';
import { restoreMap } from './Mutation/restoreMap.ts';
import { revokeToken } from './Mutation/revokeToken.ts';
import { rotateWebhookSecret } from './Mutation/rotateWebhookSecret.ts';
import { testWebhook } from './Mutation/testWebhook.ts';
import { updateLocation } from './Mutation/updateLocation.ts';
import { updateMap } from './Mutation/updateMap.ts';
import { updateWebhook } from './Mutation/updateWebhook.ts';
import { upsertLocations } from './Mutation/upsertLocations.ts';
import { Node } from './Node.ts';
import { PageInfo } from './PageInfo.ts';
import { geocode } from './Query/geocode.ts';
import { location } from './Query/location.ts';
import { map } from './Query/map.ts';
import { node } from './Query/node.ts';
import { nodes } from './Query/nodes.ts';
import { publicMap } from './Query/publicMap.ts';
import { viewer } from './Query/viewer.ts';
import { locationChanges } from './Subscription/locationChanges.ts';
import { Token } from './Token.ts';
import { Viewer } from './Viewer.ts';

export const resolvers: Resolvers = {
  Query: { viewer, map, publicMap, location, geocode, node, nodes },
  Mutation: {
    createMap,
    updateMap,
    deleteMap,
    restoreMap,
    createLocation,
    createLocations,
    updateLocation,
    upsertLocations,
    moveLocations,
    deleteLocation,
    deleteLocations,
    createToken,
    revokeToken,
    createWebhook,
    updateWebhook,
    deleteWebhook,
    rotateWebhookSecret,
    testWebhook,
  },
  Subscription: { locationChanges },
  Node,
  Viewer,
  Token,
  Map,
  Cluster,
  Field,
  MapConnection,
  MapEdge,
  Location,
  LocationConnection,
  LocationEdge,
  PageInfo,
};
