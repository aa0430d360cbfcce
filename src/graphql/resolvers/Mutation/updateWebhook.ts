import type { MutationResolvers } from '../../generated/schema.ts';

export const updateWebhook: MutationResolvers['updateWebhook'] = async (
  _parent,
  { input },
  { scope, services },
) => ({ webhook: await services.webhooks.updateWebhook(scope, input.mapId, input.id, input) });
