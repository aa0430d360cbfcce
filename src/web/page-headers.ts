/** What browsers are told of every page: it may load what is named, and nothing else. */

export interface PagePermissions {
  /** Directives of the Content-Security-Policy for all that the page loads, such as `script-src 'self'`. */
  readonly sources: readonly string[];
  /** Origins of the pages that may show it in a frame, as the policy writes them; null for none. */
  readonly embedders?: string | null;
  /** By default no other server learns where its reader came from. */
  readonly referrerPolicy?: 'no-referrer' | 'strict-origin-when-cross-origin';
}

export function pageHeaders({
  sources,
  embedders = null,
  referrerPolicy = 'no-referrer',
}: PagePermissions): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    ...sources,
    `frame-ancestors ${embedders ?? "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': referrerPolicy,
    'x-content-type-options': 'nosniff',
    ...(embedders === null ? { 'x-frame-options': 'DENY' } : {}),
  };
}

/** As {@link pageHeaders}, for a page that windows of other origins have nothing to do with. */
export function isolatedPageHeaders(
  permissions: Omit<PagePermissions, 'embedders'>,
): Readonly<Record<string, string>> {
  return { ...pageHeaders(permissions), 'cross-origin-opener-policy': 'same-origin' };
}
