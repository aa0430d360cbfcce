import { OperatorError } from '../errors.ts';

/** A store cannot be used as it is: it is no database, or of a newer release, or its server is too old. The message says which. */
export class IncompatibleStorageError extends OperatorError {}
