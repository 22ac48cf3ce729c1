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

/** SHL-037: once for each load of the page, and only where something is missing. */
function Suspended({ session }: { session: Session }) {
  const [isRead, setIsRead] = useState(false);
  if (isRead || session.permissions.includes("all")) return null;
  const missing = permissions.filter((permission) => !session.permissions.includes(permission));
  return missing.length > 0 ? <SuspendedDialog missing={missing} onClose={() => setIsRead(true)} /> : null;
}

/** SHL-041: an admin of a company that works, until it was accepted. */
function Privacy({ session }: { session: Session }) {
  const { privacyUrl } = useBrand();
  const isPossible = privacyUrl !== null && session.profile === "admin";
  const isAsked = useQuery({ ...isAskedForPrivacyQuery(session.company.id), enabled: isPossible });
  const [isAccepted, setIsAccepted] = useState(false);
  if (!isPossible || isAccepted || isAsked.data !== true) return null;
  return <PrivacyDialog url={privacyUrl} onAccepted={() => setIsAccepted(true)} />;
}
