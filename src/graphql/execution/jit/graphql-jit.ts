/** Loads graphql-jit with the first repeated operation, so that the server starts without it. */

import type * as GraphqlJit from 'graphql-jit';

let loaded: typeof GraphqlJit | null = null;
let loading: Promise<void> | null = null;

/** @returns null until it is loaded; the first call starts loading */
export function graphqlJit(): typeof GraphqlJit | null {
  if (loaded === null) {
    // The next call tries again; until then graphql-js executes everything.
    loadGraphqlJit().catch((error: unknown) => process.emitWarning(error as Error));
  }
  return loaded;
}

export function loadGraphqlJit(): Promise<void> {
  loading ??= import('graphql-jit').then(
    (module) => {
      loaded = module;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}
