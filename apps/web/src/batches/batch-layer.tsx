import { useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useRef } from "react";
import { readModalToken } from "../shell/arrival.ts";
import { useLayerSearch } from "../shell/layer-search.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { isUuid } from "../shell/search-params.ts";
import { useSession } from "../shell/session.ts";

const BatchModal = lazyPart(() => import("./batch-modal.tsx"));

/** Search parameters of an open batch, removed when it closes. */
const closed = {
  lote: null,
  modalToken: null,
  pagamentos: null,
  dados: null,
  pagamento: null,
  etapa: null,
};

/** Opens a batch above any page of payments by `?lote=` alone, or by a modal token (BAT-023, SES-027). */
export function BatchLayer() {
  const session = useSession();
  const navigate = useNavigate();
  const { history } = useRouter();
  const [{ lote, modalToken }, change] = useLayerSearch();
  const index = useLocation({ select: (location) => location.state.__TSR_index });
  const carried = useLocation({
    select: (location) => location.state.modalToken,
  });
  const token = carried ?? modalToken;
  const id = lote && isUuid(lote) ? lote : undefined;

  // A batch opened here by a click closes by Back. One opened by an outside link has no page to go back to.
  const before = useRef<{ id: string | undefined; index: number }>(undefined);
  const openedAt = useRef<number>(undefined);
  useEffect(() => {
    const last = before.current;
    if (!id) openedAt.current = undefined;
    else if (last && !last.id && index === last.index + 1) openedAt.current = index;
    before.current = { id, index };
  }, [id, index]);

  useEffect(() => {
    if (!token) return;
    const asked = readModalToken(token);
    void navigate({
      to: ".",
      replace: true,
      search: (now) => ({ ...now, modalToken: undefined, ...(asked && { lote: asked.id }) }),
    });
  }, [token, navigate]);

  if (!id || session?.application.id !== "payments") return null;

  function close() {
    if (openedAt.current === index) {
      history.back();
      return;
    }
    change(closed, { replace: true });
  }
  return (
    <Suspense>
      <BatchModal key={id} id={id} session={session} onClose={close} />
    </Suspense>
  );
}
