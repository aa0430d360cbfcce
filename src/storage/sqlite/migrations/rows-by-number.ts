/**
 * Step 8 of the migrations: the rows of locations lie in the file by their numbers, and an index has the list's order. What
 * a search finds stands all over a map; in a table that lay in the list's order, its pages were four times as deep, and a
 * location was found by its number only through an index. (A page of 100 found in a million: 1,100 to 480 µs; a page of the
 * list takes the same.)
 *
 * Numbers stay as they are, since the index of words knows locations by them.
 */
export const ROWS_BY_NUMBER = `
  CREATE TABLE locations_by_rows (
    number INTEGER PRIMARY KEY,
    map_number INTEGER NOT NULL REFERENCES maps (number),
    order_key TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    id TEXT NOT NULL,
    position TEXT NOT NULL,
    name TEXT NOT NULL,
    place_id TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    -- The plain decimals of both, as JSON holds them.
    lat TEXT NOT NULL,
    lng TEXT NOT NULL,
    properties TEXT NOT NULL,
    external_id TEXT,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- NULL: never changed.
    updated_at INTEGER,
    provider TEXT NOT NULL,
    "precision" TEXT NOT NULL
  ) STRICT;
  INSERT INTO locations_by_rows
    SELECT number, map_number, order_key, sequence, cell, id, position, name, place_id, latitude, longitude, lat, lng,
      properties, external_id, version, created_at, updated_at, provider, "precision"
    FROM locations ORDER BY number;
  DROP TABLE locations;
  ALTER TABLE locations_by_rows RENAME TO locations;
  CREATE UNIQUE INDEX locations_by_sort_key ON locations (map_number, order_key, sequence);
  CREATE UNIQUE INDEX locations_by_id ON locations (id);
  CREATE UNIQUE INDEX locations_by_external_id ON locations (map_number, external_id) WHERE external_id IS NOT NULL;
  -- Holds the point too, so that what is outside of a box is told without reading the location.
  CREATE INDEX locations_by_cell ON locations (map_number, cell, sequence, latitude, longitude, order_key);
`;
