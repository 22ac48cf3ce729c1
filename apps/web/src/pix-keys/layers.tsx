import { createPixKey } from "@malote/contracts/pix-keys";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { Suspense } from "react";
import { firstTimeQuery } from "../first-steps/index.ts";
import { checkpoints } from "../shell/checkpoints.ts";
import { useLayerSearch } from "../shell/layer-search.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { pathOf } from "../shell/routes.ts";
import { may, type Session, useSession } from "../shell/session.ts";
import { pixKeysQuery } from "./api.ts";

const SendBalanceDialog = lazyPart(() => import("./send-balance-dialog.tsx"));
const KeyPrompt = lazyPart(() => import("./key-prompt.tsx"));

/** Layers that open above any page: sending balance by its address, and the question for a first key by itself. */
export function PixKeyLayers() {
  const session = useSession();
  const [{ "enviar-saldo": step }, change] = useLayerSearch();
  if (session?.application?.id !== "payments") return null;
  return (
    <Suspense>
      {step ? (
        <SendBalanceDialog
          step={step}
          onStep={(next) => change({ "enviar-saldo": next }, { replace: true })}
          onClose={() => change({ "enviar-saldo": null }, { replace: true })}
        />
      ) : may(createPixKey, session) ? (
        <Prompt session={session} />
      ) : null}
    </Suspense>
  );
}

/**
 * SHL-056: shown to admins, once, after the first steps, and only while the company has no key; not on the page that
 * adds keys.
 */
function Prompt({ session }: { session: Session }) {
  const isThere = useLocation({ select: ({ pathname }) => pathname === pathOf("PaymentsBankAccountsPage") });
  const keys = useQuery(pixKeysQuery);
  const hasNone = !isThere && keys.data?.data.length === 0;
  // FST-025: an unreadable mark hides the question, though pages count the first steps as filled.
  const firstTime = useQuery({ ...firstTimeQuery(session.company.id), enabled: hasNone });
  const dismissed = useQuery({ ...checkpoints.exists("HAS_DISMISSED_PIX_KEY_PROMPT"), enabled: hasNone });
  const clicked = useQuery({ ...checkpoints.exists("HAS_CLICKED_PIX_KEY_PROMPT"), enabled: hasNone });
  const asks = hasNone && firstTime.data === false && dismissed.data === false && clicked.data === false;
  return asks ? <KeyPrompt /> : null;
}
