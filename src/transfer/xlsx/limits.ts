/** Excel's limits of a sheet. */

export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;
/** In UTF-16 units. */
export const MAX_CELL_LENGTH = 32_767;
