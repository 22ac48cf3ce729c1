import { countApprovalRequests } from "@malote/contracts/controls";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { pathOf } from "../shell/routes.ts";
import { may, useSession } from "../shell/session.ts";
import { buttonClass } from "../ui/button.tsx";
import { counted } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { approvalCountQuery } from "./api.ts";

/** Shows on any page that requests wait for this person's approval: the side menu has a fixed list (SHL-028). */
export function ApprovalsBanner() {
  const session = useSession();
  const isOn = session?.application.id === "payments" && may(countApprovalRequests, session);
  const { data } = useQuery({ ...approvalCountQuery, enabled: isOn });
  const count = data?.count ?? 0;
  if (!isOn || count === 0) return null;
  return (
    <div className="no-print">
      <Notice
        tone="blue"
        action={
          <Link to={pathOf("ApprovalsPage")} className={buttonClass({ size: "sm" })}>
            Ver aprovações
          </Link>
        }
      >
        {counted(count, "pedido aguarda", "pedidos aguardam")} sua aprovação.
      </Notice>
    </div>
  );
}
