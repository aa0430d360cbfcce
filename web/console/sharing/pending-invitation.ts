/** The invitation that was opened in this tab. It outlasts signing in at a provider, which leaves the page. */

const KEY = 'map-locations-invitation';

/** The secret; empty for none. */
export function pendingInvitation(): string {
  return sessionStorage.getItem(KEY) ?? '';
}

export function keepInvitation(secret: string): void {
  sessionStorage.setItem(KEY, secret);
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(KEY);
}
