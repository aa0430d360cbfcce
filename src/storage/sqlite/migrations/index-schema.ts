/**
 * What locations are found by, as step 6 of the migrations makes it.
 *
 * - `number` stands for a location in the index of words, whose rows are known by whole numbers. Step 8 makes it the number
 *   of the row itself.
 * - `cell` is the location's, of domain/filter/cell.ts.
 * - `location_words` is FTS5's: each location's terms (domain/filter/terms.ts) and its shape (shape.ts) as words. It keeps
 *   no text. What a deleted location was found by is overwritten when FTS5 next merges the segment that it is in: when a
 *   tenth of that is deleted, at the latest (its option `deletemerge`). Its option `secure-delete` does nothing for a table
 *   without content; to name the old words at each deletion would break the index where another version of Unicode makes
 *   others.
 * - `location_words_seen` reads the same index word by word. Unlike MATCH, which puts all words of a beginning together
 *   first, it stops where its reader does.
 * - `location_words_counted` says of each word in how many locations it stands, ten times as fast as they could be counted.
 * - `cell_sums` is of cell-sums.ts.
 */
export const INDEX_COLUMNS = `
  ALTER TABLE locations ADD COLUMN number INTEGER;
  ALTER TABLE locations ADD COLUMN cell INTEGER;
  CREATE VIRTUAL TABLE location_words USING fts5(
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
  CREATE TABLE cell_sums (
    map_number INTEGER NOT NULL,
    level INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    count INTEGER NOT NULL,
    latitudes INTEGER NOT NULL,
    longitudes INTEGER NOT NULL,
    south REAL,
    west REAL,
    north REAL,
    east REAL,
    PRIMARY KEY (map_number, level, cell)
  ) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE location_words_seen USING fts5vocab(location_words, instance);
  CREATE VIRTUAL TABLE location_words_counted USING fts5vocab(location_words, row);
`;

/** Made when all rows have their numbers and cells: sorting them once takes a fraction of adding them one by one. */
export const INDEXES = `
  CREATE UNIQUE INDEX locations_by_number ON locations (number);
  CREATE INDEX locations_by_cell ON locations (map_number, cell, number, latitude, longitude);
`;
