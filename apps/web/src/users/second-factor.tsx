import type { User } from "@malote/contracts/users";
import { StatusPill } from "../ui/status-pill.tsx";

/** COM-013: true when the person's second factor is on. */
export function SecondFactor({ user }: { user: User }) {
  return user.has_two_factor_enabled ? (
    <StatusPill color="green" shape="check">
      2FA ativada
    </StatusPill>
  ) : (
    <StatusPill color="grey" shape="ring">
      2FA desativada
    </StatusPill>
  );
}
