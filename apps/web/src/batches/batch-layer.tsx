import { useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useRef } from "react";
import { readModalToken } from "../shell/arrival.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { useSession } from "../shell/session.ts";

const BatchModal = lazyPart(() => import("./batch-modal.tsx"));

/** Search parameters of an open batch, removed when it closes. */
const ownParams = ["lote", "modalToken", "pagamentos", "dados", "pagamento", "etapa"] as const;

type Raw = Record<string, string | undefined>;

/** Opens a batch above any page of payments by `?lote=` alone, or by a modal token (BAT-023, SES-027). */
export function BatchLayer() {
  const session = useSession();
  const navigate = useNavigate();
  const { history } = useRouter();
  const raw = useLocation({ select: (location) => location.search as Raw });
  const index = useLocation({ select: (location) => location.state.__TSR_index });
  const carried = useLocation({
    select: (location) => (location.state as { modalToken?: string }).modalToken,
  });
  const token = carried ?? raw["modalToken"];
  const id = isId(raw["lote"]) ? raw["lote"] : undefined;

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
      search: ((now: Raw) => ({ ...now, modalToken: undefined, ...(asked && { lote: asked.id }) })) as never,
    });
  }, [token, navigate]);

  if (!id || session?.application.id !== "payments") return null;

  function close() {
    if (openedAt.current === index) {
      history.back();
      return;
    }
    const nothing = Object.fromEntries(ownParams.map((name) => [name, undefined]));
    void navigate({
      to: ".",
      replace: true,
      resetScroll: false,
      search: ((now: Raw) => ({ ...now, ...nothing })) as never,
    });
  }
  return (
    <Suspense>
      <BatchModal key={id} id={id} session={session} onClose={close} />
    </Suspense>
  );
}

function isId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
