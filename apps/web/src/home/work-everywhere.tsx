import { countWork, readHome } from "@malote/contracts/home";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazyPart } from "../shell/lazy-part.ts";
import { pathOf } from "../shell/routes.ts";
import { may, useSession } from "../shell/session.ts";
import { CountBadge } from "../ui/count-badge.tsx";
import { counted } from "../ui/format.ts";
import { workCountQuery } from "./api.ts";

const WorkBand = lazyPart(() => import("./work-band.tsx"));

/** The queue of work above the batches, the page after sign-in (SES-006). */
export function WorkBanner() {
  const session = useSession();
  const isOnBatches = useLocation({ select: ({ pathname }) => pathname === pathOf("BatchesPage") });
  if (!isOnBatches || !may(readHome, session)) return null;
  return (
    <Suspense>
      <WorkBand />
    </Suspense>
  );
}

/** Number of items that wait for the person. A stale number is hidden. */
export function WorkBadge() {
  const { data, isError } = useQuery({ ...workCountQuery, enabled: may(countWork, useSession()) });
  const count = isError ? 0 : (data?.count ?? 0);
  return <CountBadge count={count} words={counted(count, "item para fazer", "itens para fazer")} />;
}
