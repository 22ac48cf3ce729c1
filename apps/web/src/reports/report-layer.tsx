import { useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useSession } from "../shell/session.ts";

const RequestedReportDialog = lazy(() => import("./requested-report-dialog.tsx"));

type Raw = Record<string, string | undefined>;

/** Opens a report that was asked for by the link of its e-mail, `?arquivo=`, over any page. */
export function ReportLayer() {
  const session = useSession();
  const navigate = useNavigate();
  const id = useLocation({ select: (location) => (location.search as Raw)["arquivo"] });
  if (!id || session?.application.id !== "payments") return null;
  const close = () =>
    void navigate({
      to: ".",
      replace: true,
      resetScroll: false,
      search: ((now: Raw) => ({ ...now, arquivo: undefined })) as never,
    });
  return (
    <Suspense>
      <RequestedReportDialog key={id} id={id} onClose={close} />
    </Suspense>
  );
}
