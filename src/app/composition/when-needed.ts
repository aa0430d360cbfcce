export interface WhenNeeded<T> {
  /** Makes it at the first call. */
  readonly get: () => Promise<T>;
  /** Null when it was never needed, or could not be made. */
  readonly made: () => Promise<T | null>;
}

export function whenNeeded<T>(make: () => Promise<T>): WhenNeeded<T> {
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
