/** Who may change whom among the users of a company. */

/** A user, as far as the decision needs, at this moment. */
export interface UserAccess {
  id: string;
  isAdmin: boolean;
  applications: readonly string[];
}

export type UserChangeRefusal = "forbidden" | "user_own_record" | "user_beyond_yours";

/**
 * An admin changes or removes others, never themselves (COM-025): an admin always remains, so a company never loses
 * its last one. Nor does an admin grant or revoke an application they do not have themselves.
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

/** The part of it that a new user is under as well. */
export function refuseApplications(
  actor: UserAccess,
  given: readonly string[],
): UserChangeRefusal | undefined {
  if (!actor.isAdmin) return "forbidden";
  return given.every((application) => actor.applications.includes(application))
    ? undefined
    : "user_beyond_yours";
}
