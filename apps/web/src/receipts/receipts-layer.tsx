import { Suspense } from "react";
import { lazyPart } from "../shell/lazy-part.ts";
import { useSession } from "../shell/session.ts";
import { usePageSearch } from "../shell/use-page-search.ts";

const RequestedReceiptsDialog = lazyPart(() => import("./requested-receipts-dialog.tsx"));

/** Opens requested receipts by the link of their e-mail, `?comprovantes=`, above any page. */
export function ReceiptsLayer() {
  const session = useSession();
  const [{ comprovantes: id }, change] = usePageSearch(({ comprovantes }) => ({ comprovantes }));
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
