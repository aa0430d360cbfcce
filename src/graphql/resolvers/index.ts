/** The resolvers of the schema, without the scalars: one file per noun. */

import type { Resolvers } from '../generated/schema.ts';
import { accountResolvers } from './account.ts';
import { pageInfoResolvers } from './connection.ts';
import { geocodeResolvers } from './geocode.ts';
import { historyResolvers } from './history.ts';
import { invitationResolvers } from './invitation.ts';
import { locationResolvers } from './location.ts';
import { mapLinkResolvers } from './map-link.ts';
import { mapResolvers } from './map.ts';
import { memberResolvers } from './member.ts';
import { nodeResolvers } from './node.ts';
import { subscriptionResolvers } from './subscription.ts';
import { tokenResolvers } from './token.ts';
import { viewerResolvers } from './viewer.ts';
import { webhookResolvers } from './webhook.ts';

export const resolvers: Resolvers = {
  ...mapResolvers,
  ...historyResolvers,
  ...locationResolvers,
  ...accountResolvers,
  ...tokenResolvers,
  ...pageInfoResolvers,
  ...viewerResolvers,
  ...subscriptionResolvers,
  ...nodeResolvers,
  Viewer: { ...viewerResolvers.Viewer, ...accountResolvers.Viewer },
  Map: {
    ...mapResolvers.Map,
    ...historyResolvers.Map,
    ...memberResolvers.Map,
    ...invitationResolvers.Map,
    ...mapLinkResolvers.Map,
    ...webhookResolvers.Map,
  },
  Location: { ...locationResolvers.Location, ...historyResolvers.Location },
  Query: {
    ...mapResolvers.Query,
    ...locationResolvers.Query,
    ...viewerResolvers.Query,
    ...nodeResolvers.Query,
    ...geocodeResolvers.Query,
    ...invitationResolvers.Query,
  },
  Mutation: {
    ...mapResolvers.Mutation,
    ...locationResolvers.Mutation,
    ...historyResolvers.Mutation,
    ...accountResolvers.Mutation,
    ...tokenResolvers.Mutation,
    ...memberResolvers.Mutation,
    ...invitationResolvers.Mutation,
    ...mapLinkResolvers.Mutation,
    ...webhookResolvers.Mutation,
  },
};
