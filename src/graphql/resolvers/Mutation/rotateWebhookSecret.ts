import type { MutationResolvers } from '../../generated/schema.ts';

export const rotateWebhookSecret: MutationResolvers['rotateWebhookSecret'] = (
  _parent,
  { input: { mapId, id } },
  { scope, services },
) => services.webhooks.rotateWebhookSecret(scope, mapId, id);
