/** What a sheet has room for, as Excel has it. */

export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;
/** UTF-16 units of a cell. */
export const MAX_CELL_LENGTH = 32_767;
