import { OperatorError } from '../errors.ts';

/**
 * The store cannot be used: it is not a database of ours, is of a newer release, or its server is too old. The message
 * says which.
 */
export class IncompatibleStorageError extends OperatorError {}
