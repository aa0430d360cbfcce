/** Names of owners whom an issuer names: a JWT's, or an identity provider's. Both are the same person. */

import { isLabel } from './text.ts';

/** Code points. OpenID Connect allows a `sub` of 255. */
const MAX_SUBJECT_LENGTH = 255;

/** An issuer has no fragment. */
const OF_AN_ISSUER = /^(https?:\/\/[^#]*)#/i;

export function isSubject(subject: string): boolean {
  return isLabel(subject, MAX_SUBJECT_LENGTH);
}

export function ownerNameOf(issuer: string, subject: string): string {
  return `${issuer}#${subject}`;
}

/** The issuer of a name that looks like one of {@link ownerNameOf}, which nobody may choose; null for other names. */
export function issuerOf(ownerName: string): string | null {
  return OF_AN_ISSUER.exec(ownerName)?.[1] ?? null;
}
