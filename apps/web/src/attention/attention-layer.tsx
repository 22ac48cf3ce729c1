import { permissions } from "@malote/contracts/policy";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useBrand } from "../shell/brand.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { type Session, useSession } from "../shell/session.ts";
import { isAskedForPrivacyQuery } from "./api.ts";

const SuspendedDialog = lazyPart(() => import("./suspended-dialog.tsx"));
const PrivacyDialog = lazyPart(() => import("./privacy-dialog.tsx"));

export function AttentionLayer() {
  const session = useSession();
  if (!session) return null;
  return (
    <Suspense>
      <Suspended session={session} />
      <Privacy session={session} />
    </Suspense>
  );
}

/** SHL-037: shows once per page load, and only when something is suspended. */
function Suspended({ session }: { session: Session }) {
  const [isRead, setIsRead] = useState(false);
  if (isRead || session.permissions.includes("all")) return null;
  const missing = permissions.filter((permission) => !session.permissions.includes(permission));
  return missing.length > 0 ? <SuspendedDialog missing={missing} onClose={() => setIsRead(true)} /> : null;
}

/** SHL-041: shows to an admin of an active company until the policy is accepted. */
function Privacy({ session }: { session: Session }) {
  const { privacyUrl } = useBrand();
  const isPossible = privacyUrl !== null && session.profile === "admin";
  const isAsked = useQuery({ ...isAskedForPrivacyQuery(session.company.id), enabled: isPossible });
  const [isAccepted, setIsAccepted] = useState(false);
  if (!isPossible || isAccepted || isAsked.data !== true) return null;
  return <PrivacyDialog url={privacyUrl} onAccepted={() => setIsAccepted(true)} />;
}
