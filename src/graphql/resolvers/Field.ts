import type { FieldResolvers } from '../generated/schema.ts';

export const Field: FieldResolvers = {
  isPublic: ({ isPublic = true }) => isPublic,
};
