/** Names of owners whom an issuer names: a JWT's, or an identity provider's. Both are the same person. */

import { isLabel } from './text.ts';

/** Code points. OpenID Connect allows a `sub` of 255. */
const MAX_SUBJECT_LENGTH = 255;

const OF_AN_ISSUER = /^https?:\/\/.*#/i;

export function isSubject(subject: string): boolean {
  return isLabel(subject, MAX_SUBJECT_LENGTH);
}

export function ownerNameOf(issuer: string, subject: string): string {
  return `${issuer}#${subject}`;
}

/** Whether the name looks like one of {@link ownerNameOf}, which nobody may choose. */
export function isOfAnIssuer(ownerName: string): boolean {
  return OF_AN_ISSUER.test(ownerName);
}
