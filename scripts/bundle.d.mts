import type { BuildOptions, Plugin } from 'esbuild';

export const PACKAGE_OPTIONS: BuildOptions & {
  readonly external: readonly string[];
  readonly plugins: readonly Plugin[];
};

export function bundle(target: string): Promise<boolean>;
