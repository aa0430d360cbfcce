/** Names of owners: of those whom an issuer names, by a JWT or at an identity provider, which are the same person; and for people. */

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

/** What people read: the name of an owner of an issuer says nothing to them. Not unique. */
export function shownName({
  name,
  displayName,
}: {
  readonly name: string;
  readonly displayName: string | null;
}): string {
  return displayName ?? name;
}
