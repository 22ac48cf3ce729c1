import { Suspense } from "react";
import { useLayerSearch } from "../shell/layer-search.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { useSession } from "../shell/session.ts";

const RequestedReceiptsDialog = lazyPart(() => import("./requested-receipts-dialog.tsx"));

/** Opens requested receipts by the link of their e-mail, `?comprovantes=`, above any page. */
export function ReceiptsLayer() {
  const session = useSession();
  const [{ comprovantes: id }, change] = useLayerSearch();
  if (!id || session?.application.id !== "payments") return null;
  return (
    <Suspense>
      <RequestedReceiptsDialog
        key={id}
        id={id}
        onClose={() => change({ comprovantes: null }, { replace: true })}
      />
    </Suspense>
  );
}
