import type { MutationResolvers } from '../../generated/schema.ts';

export const createWebhook: MutationResolvers['createWebhook'] = (_parent, { input }, { scope, services }) =>
  services.webhooks.createWebhook(scope, input.mapId, input);
