/** Why a map takes no part in an operation. */
export type MapUnavailable = { readonly kind: 'map-missing' } | { readonly kind: 'map-deleted' };
