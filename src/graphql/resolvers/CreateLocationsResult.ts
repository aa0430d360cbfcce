import { ServiceError } from '../../errors.ts';
import type { CreateLocationsResultResolvers } from '../generated/schema.ts';

export const CreateLocationsResult: CreateLocationsResultResolvers = {
  location: (result) => (result instanceof ServiceError ? null : result),
  error: (result) => (result instanceof ServiceError ? { code: result.code, message: result.message } : null),
};
