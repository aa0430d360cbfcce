/** graphql-jit, loaded when the first operation has come again: a server that is being started need not wait for it. */

import type * as GraphqlJit from 'graphql-jit';

let loaded: typeof GraphqlJit | null = null;
let loading: Promise<void> | null = null;

/** @returns null until it is loaded, which the first call begins */
export function graphqlJit(): typeof GraphqlJit | null {
  if (loaded === null) {
    // It is tried again at the next use; until then graphql-js executes everything.
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
