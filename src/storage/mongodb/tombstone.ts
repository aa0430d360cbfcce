/**
 * How long a tombstone is kept after its key has expired, and after it was made. It is longer than any request that read
 * the key before, and than the clocks of the gateways and of the server, which removes it, are apart.
 */
export const TOMBSTONE_GRACE_MS = 60 * 60 * 1000;
