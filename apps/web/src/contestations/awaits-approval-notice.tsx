import type { Infraction } from "@malote/contracts/contestations";
import { listApprovalRequests } from "@malote/contracts/controls";
import { Link } from "@tanstack/react-router";
import { may, useSession } from "../shell/session.ts";
import { useNamedPath } from "../shell/use-named-path.ts";
import { counted, formatDateTime } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";

interface AwaitsApprovalNoticeProps {
  request: NonNullable<Infraction["approval_request"]>;
  dueAt: string;
}

/** Shows who approved, what that does, and what happens without an approval. */
export function AwaitsApprovalNotice({ request, dueAt }: AwaitsApprovalNoticeProps) {
  const session = useSession();
  const named = useNamedPath("ApprovalsPage");
  const path = may(listApprovalRequests, session) ? named : undefined;
  const others = request.infractions - 1;
  const together = others > 0 ? ` junto com ${counted(others, "outra infração", "outras infrações")}` : "";
  return (
    <Notice tone="blue" title="A aprovação desta infração espera por outra pessoa">
      {request.requested_by} aprovou esta infração{together} em {formatDateTime(request.requested_at)}. Nada
      acontece antes que outra pessoa aprove {path ? <Link to={path}>em Aprovações</Link> : "em Aprovações"}.
      Se ninguém aprovar até {formatDateTime(dueAt)}, o valor volta automaticamente ao pagador.
    </Notice>
  );
}
