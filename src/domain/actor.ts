/** Who changed something. Names are resolved when they are shown, so that deleting a person's name deletes it everywhere. */

export const ACTOR_KINDS = ['account', 'token', 'link', 'operator'] as const;

export type ActorKind = (typeof ACTOR_KINDS)[number];

export type Actor =
  /** An owner, by a session or a JWT. */
  | { readonly kind: 'account'; readonly id: string }
  /** A token, by its id. */
  | { readonly kind: 'token'; readonly id: string }
  /** A link to a map, by its id. */
  | { readonly kind: 'link'; readonly id: string }
  /** The command line. */
  | { readonly kind: 'operator' };

export function isSameActor(a: Actor, b: Actor): boolean {
  return a.kind === b.kind && actorIdOf(a) === actorIdOf(b);
}

/** Null for the command line. */
export function actorIdOf(actor: Actor): string | null {
  return actor.kind === 'operator' ? null : actor.id;
}
