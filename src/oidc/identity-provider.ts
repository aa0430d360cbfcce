/** The port for signing in at an identity provider. */

/** Path of this server to which the provider sends the browser back. */
export const CALLBACK_PATH = '/auth/callback';

/** What a sign-in keeps between its start and the callback. All three are secrets of the browser that started it. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Somebody who has signed in. */
export interface SignedIn {
  /** `issuer#sub`, as for a JWT. */
  readonly ownerName: string;
  /** The claim `name`; null if the provider has none. Not unique, and not an identity. */
  readonly name: string | null;
  /** To sign out at the provider. */
  readonly idToken: string;
}

export const SIGN_IN_FAILURES = [
  /** The person, or the provider for them, declined. */
  'access_denied',
  /** The callback belongs to no sign-in of this browser. */
  'state_mismatch',
  /** The provider's response is not valid. */
  'invalid_response',
  /** The provider cannot be reached in time. */
  'issuer_unavailable',
] as const;

export type SignInFailure = (typeof SIGN_IN_FAILURES)[number];

/** The message is for the log. It has no secrets and no text of the provider. */
export class SignInError extends Error {
  readonly code: SignInFailure;

  constructor(code: SignInFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SignInError';
    this.code = code;
  }
}

export interface IdentityProvider {
  /**
   * Starts a sign-in.
   *
   * @returns where to send the browser
   * @throws SignInError
   */
  begin(): Promise<{ readonly url: string; readonly attempt: SignInAttempt }>;
  /**
   * Checks the callback, and redeems its code.
   *
   * @param callback the redirect address with the query of the callback
   * @throws SignInError
   */
  complete(callback: URL, attempt: SignInAttempt): Promise<SignedIn>;
  /** Where to send the browser to sign out at the provider; null if there is no such page, or it is not known now. */
  signOutUrl(idToken: string): Promise<string | null>;
}
