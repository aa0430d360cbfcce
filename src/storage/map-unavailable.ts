/** Why a map takes no part in an operation: it is not there, or it is deleted. */
export type MapUnavailable = { readonly kind: 'map-missing' } | { readonly kind: 'map-deleted' };
