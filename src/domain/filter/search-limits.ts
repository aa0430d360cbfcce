/** What a search for words may contain. Pages cut what their readers type to it. */

/** Code points. */
export const MAX_QUERY_LENGTH = 256;
/** Words: runs of letters and digits. */
export const MAX_RUNS = 10;
/** Code points of a word. */
export const MAX_RUN_LENGTH = 64;
