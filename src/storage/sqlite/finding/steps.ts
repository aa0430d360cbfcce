/**
 * Work in steps of some milliseconds at most. Where it yields it may be stopped, or other work may be done. It reads one
 * state of the store.
 */
export type Steps<T> = Generator<void, T, undefined>;
