/** Rules for changing the users of a company. */

/** The facts about a user that the decision needs. */
export interface UserAccess {
  id: string;
  isAdmin: boolean;
  applications: readonly string[];
}

export type UserChangeRefusal = "forbidden" | "user_own_record" | "user_beyond_yours";

/**
 * Refuses a change of a user. Admins change or remove other people, never themselves (COM-025), so a company never
 * loses its last admin. They may not grant or revoke an application that they lack themselves.
 */
export function refuseUserChange(
  actor: UserAccess,
  target: UserAccess,
  given: readonly string[] = [],
): UserChangeRefusal | undefined {
  if (!actor.isAdmin) return "forbidden";
  if (actor.id === target.id) return "user_own_record";
  return refuseApplications(actor, [...target.applications, ...given]);
}

/** Refuses applications that the actor lacks; applies to new users too. */
export function refuseApplications(
  actor: UserAccess,
  given: readonly string[],
): UserChangeRefusal | undefined {
  if (!actor.isAdmin) return "forbidden";
  return given.every((application) => actor.applications.includes(application))
    ? undefined
    : "user_beyond_yours";
}
