/** Secrets and codes that a link hands over in the fragment of its address: `#setup=SECRET`. */

const NAMES = ['setup', 'reset', 'join', 'map-link', 'signInError'] as const;

export interface Fragment {
  readonly name: (typeof NAMES)[number];
  readonly value: string;
}

/** Takes it out of the address and of the browser's history. Null for a path of the console. */
export function takeFragment(): Fragment | null {
  const [name, value] = location.hash.slice(1).split('=', 2);
  const known = NAMES.find((one) => one === name);
  if (known === undefined || value === undefined || value === '') return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return { name: known, value: decodeURIComponent(value) };
}

/** Why signing in at the provider failed, from the code of the callback. */
export function signInProblem(code: string): string {
  switch (code) {
    case 'access_denied':
      return 'Signing in was cancelled at the provider, or it does not admit you.';
    case 'state_mismatch':
      return 'Signing in took too long, or was started in another window. Please try again.';
    case 'issuer_unavailable':
      return 'The provider cannot be reached at the moment. Please try again later.';
    case 'not_allowed':
      return 'You have no account on this server. Its operator can create one.';
    default:
      return 'The provider’s response is not valid. Please try again; if it stays so, tell the operator.';
  }
}
