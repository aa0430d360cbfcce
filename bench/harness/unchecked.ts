/** Points that nobody has checked, in a map of imported points. */

import { DatabaseSync } from '@photostructure/sqlite';

import type { SqliteStore } from './filled-store.ts';

/** One of so many locations is unchecked. */
export const EVERY = 7;

/** As if a geocoder had found the addresses of these locations. Imported points count as checked. */
export function uncheckSome({ path }: SqliteStore): void {
  const database = new DatabaseSync(path);
  try {
    database.exec(`
      BEGIN;
      UPDATE locations SET is_checked = 0, provider = 'nominatim', "precision" = 'street' WHERE sequence % ${EVERY} = 0;
      DELETE FROM geocoding_counts;
      INSERT INTO geocoding_counts
        SELECT map_number, is_checked, "precision", is_ambiguous, provider, count(*) FROM locations
        GROUP BY map_number, is_checked, "precision", is_ambiguous, provider;
      COMMIT;
    `);
  } finally {
    database.close();
  }
}
