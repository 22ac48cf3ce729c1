import { useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useSession } from "../shell/session.ts";

const RequestedReceiptsDialog = lazy(() => import("./requested-receipts-dialog.tsx"));

type Raw = Record<string, string | undefined>;

/** Opens receipts that were asked for by the link of their e-mail, `?comprovantes=`, over any page. */
export function ReceiptsLayer() {
  const session = useSession();
  const navigate = useNavigate();
  const id = useLocation({ select: (location) => (location.search as Raw)["comprovantes"] });
  if (!id || session?.application.id !== "payments") return null;
  const close = () =>
    void navigate({
      to: ".",
      replace: true,
      resetScroll: false,
      search: ((now: Raw) => ({ ...now, comprovantes: undefined })) as never,
    });
  return (
    <Suspense>
      <RequestedReceiptsDialog key={id} id={id} onClose={close} />
    </Suspense>
  );
}
