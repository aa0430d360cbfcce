import type { MutationResolvers } from '../../generated/schema.ts';

export const deleteWebhook: MutationResolvers['deleteWebhook'] = async (
  _parent,
  { input: { mapId, id } },
  { scope, services },
) => {
  await services.webhooks.deleteWebhook(scope, mapId, id);
  return { deletedId: id };
};
