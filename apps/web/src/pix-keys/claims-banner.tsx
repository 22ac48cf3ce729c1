import { awaitsOurAnswer } from "@malote/domain/own-pix-key";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { checkpoints } from "../shell/checkpoints.ts";
import { pathOf } from "../shell/routes.ts";
import { useSession } from "../shell/session.ts";
import { buttonClass, IconButton } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { pixKeysQuery } from "./api.ts";
import { keyText } from "./key-text.ts";
import { maySeeKeyPage } from "./who.ts";

/** SHL-057 to SHL-060. Closed, it stays hidden until the page is reloaded. */
export function ClaimsBanner() {
  const session = useSession();
  const [isClosed, setIsClosed] = useState(false);
  const mayAnswer = maySeeKeyPage(session);
  const keys = useQuery({ ...pixKeysQuery, enabled: mayAnswer });
  const [first, ...others] = (keys.data?.data ?? []).filter(({ status }) => awaitsOurAnswer(status));
  if (!mayAnswer || isClosed || keys.isError || !first) return null;
  function close() {
    setIsClosed(true);
    void checkpoints.create("HAS_CLOSED_CLAIMS_BANNER");
  }
  return (
    <div className="no-print">
      <Notice
        tone="yellow"
        action={
          <>
            <Link to={pathOf("PaymentsBankAccountsPage")} className={buttonClass({ size: "sm" })}>
              Ver detalhes
            </Link>
            <IconButton label="Fechar aviso de chave Pix" onClick={close}>
              <IconX size={18} aria-hidden />
            </IconButton>
          </>
        }
      >
        {others.length === 0
          ? `Identificamos um pedido de registro para a chave Pix ${keyText(first)}. `
          : "Identificamos pedidos de registro para suas chaves Pix. "}
        <Link to={pathOf("PaymentsBankAccountsPage")}>Clique aqui</Link>
        {others.length === 0
          ? " para confirmar ou cancelar a solicitação."
          : " para confirmar ou cancelar as solicitações."}
      </Notice>
    </div>
  );
}
