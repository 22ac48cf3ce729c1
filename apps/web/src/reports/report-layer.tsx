import { Suspense } from "react";
import { useLayerSearch } from "../shell/layer-search.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { useSession } from "../shell/session.ts";

const RequestedReportDialog = lazyPart(() => import("./requested-report-dialog.tsx"));

/** Opens a requested report by the link of its e-mail, `?arquivo=`, above any page. */
export function ReportLayer() {
  const session = useSession();
  const [{ arquivo: id }, change] = useLayerSearch();
  if (!id || session?.application.id !== "payments") return null;
  return (
    <Suspense>
      <RequestedReportDialog key={id} id={id} onClose={() => change({ arquivo: null }, { replace: true })} />
    </Suspense>
  );
}
