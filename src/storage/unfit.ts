import { OperatorError } from '../errors.ts';

/** A store cannot be used as it is: not a database, of a newer release, too old a server. The message says which. */
export class UnfitStorageError extends OperatorError {}
