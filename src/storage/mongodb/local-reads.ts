/**
 * Reads what the primary has now, also where the majority has not acknowledged it yet. The compare-and-set that follows
 * is acknowledged only together with it. Where a failover takes it back, its version never comes again, and the
 * compare-and-set finds nothing.
 */
export const LOCAL = { readConcern: { level: 'local' } } as const;
