/** Secrets and codes that a link hands over in the fragment of its address: `#setup=SECRET`. */

import { t } from '../common/messages.ts';

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
      return t('signIn.problem.denied');
    case 'state_mismatch':
      return t('signIn.problem.late');
    case 'issuer_unavailable':
      return t('signIn.problem.unavailable');
    case 'not_allowed':
      return t('signIn.problem.noAccount');
    default:
      return t('signIn.problem.invalid');
  }
}
