import { applicationNames } from "@malote/contracts/profiles";
import type { User } from "@malote/contracts/users";
import type { StoredUser } from "../identities/index.ts";

export const userOnWire = ({ id, name, email, profile, ...user }: StoredUser): User => ({
  id,
  name,
  email,
  has_two_factor_enabled: user.hasTwoFactor,
  has_password: user.hasPassword,
  profile,
  applications: user.applications.map((application) => ({
    id: application,
    name: applicationNames[application],
  })),
});
