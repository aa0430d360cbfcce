import type { Resolvers } from '../generated/schema.ts';

/** A map's default limit. */
const ROWS_OF_WEBHOOKS = 10;

export const webhookResolvers = {
  Mutation: {
    createWebhook: (_parent, { input }, { scope, services }) =>
      services.webhooks.createWebhook(scope, input.mapId, input),

    updateWebhook: async (_parent, { input }, { scope, services }) => ({
      webhook: await services.webhooks.updateWebhook(scope, input.mapId, input.id, input),
    }),

    deleteWebhook: async (_parent, { input: { mapId, id } }, { scope, services }) => {
      await services.webhooks.deleteWebhook(scope, mapId, id);
      return { deletedId: id };
    },

    rotateWebhookSecret: (_parent, { input: { mapId, id } }, { scope, services }) =>
      services.webhooks.rotateWebhookSecret(scope, mapId, id),

    testWebhook: (_parent, { input: { mapId, id } }, { scope, services }) =>
      services.webhooks.testWebhook(scope, mapId, id),
  },

  Map: {
    webhooks: (map, _args, { scope, services, budget }) => {
      budget.reserveRows(ROWS_OF_WEBHOOKS);
      return budget.read(
        () => services.webhooks.listWebhooks(scope, map),
        (webhooks) => webhooks.reduce((bytes, { url }) => bytes + url.length, 0),
      );
    },
  },
} satisfies Resolvers;
