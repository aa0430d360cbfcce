import type { CreateLocationsResultResolvers } from '../generated/schema.ts';

export const CreateLocationsResult: CreateLocationsResultResolvers = {
  location: (result) => ('code' in result ? null : result),
  error: (result) => ('code' in result ? { code: result.code, message: result.message } : null),
};
