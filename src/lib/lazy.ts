export interface Lazy<T> {
  /** Makes the value at the first call, and again after a failure. */
  readonly get: () => Promise<T>;
  /** Null when it was never requested, or could not be made. */
  readonly made: () => Promise<T | null>;
}

/** A value that is made when it is first requested, such as one whose module takes long to load. */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
  let making: Promise<T> | null = null;
  return {
    get: () =>
      (making ??= make().catch((error: unknown) => {
        making = null;
        throw error;
      })),
    made: async () => (making === null ? null : making.catch(() => null)),
  };
}
