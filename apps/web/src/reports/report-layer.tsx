import { Suspense } from "react";
import { lazyPart } from "../shell/lazy-part.ts";
import { useSession } from "../shell/session.ts";
import { usePageSearch } from "../shell/use-page-search.ts";

const RequestedReportDialog = lazyPart(() => import("./requested-report-dialog.tsx"));

/** Opens a requested report by the link of its e-mail, `?arquivo=`, above any page. */
export function ReportLayer() {
  const session = useSession();
  const [{ arquivo: id }, change] = usePageSearch(({ arquivo }) => ({ arquivo }));
  if (!id || session?.application.id !== "payments") return null;
  return (
    <Suspense>
      <RequestedReportDialog key={id} id={id} onClose={() => change({ arquivo: null }, { replace: true })} />
    </Suspense>
  );
}
