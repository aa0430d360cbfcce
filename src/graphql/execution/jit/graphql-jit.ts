/** Loads graphql-jit when an operation is first repeated, so that the start of a server does not wait for it. */

import type * as GraphqlJit from 'graphql-jit';

let loaded: typeof GraphqlJit | null = null;
let loading: Promise<void> | null = null;

/** @returns null until it is loaded. The first call begins to load it */
export function graphqlJit(): typeof GraphqlJit | null {
  if (loaded === null) {
    // The next use tries again. Until then graphql-js executes everything.
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
