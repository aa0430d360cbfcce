import type { MutationResolvers } from '../../generated/schema.ts';

export const testWebhook: MutationResolvers['testWebhook'] = (
  _parent,
  { input: { mapId, id } },
  { scope, services },
) => services.webhooks.testWebhook(scope, mapId, id);
