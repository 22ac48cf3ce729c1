import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { pathOf } from "../shell/routes.ts";
import { useSession } from "../shell/session.ts";
import { buttonClass } from "../ui/button.tsx";
import { counted, cutText } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { failureNoticesQuery } from "./api.ts";

const nameShownMax = 40;

/** Reports failed payments on any page, to the makers and approvers of a batch, until they are resolved. */
export function FailureBanner() {
  const isOn = useSession()?.application.id === "payments";
  const { data } = useQuery({ ...failureNoticesQuery, enabled: isOn });
  const [batch] = data?.data ?? [];
  if (!isOn || !data || !batch) return null;
  const others = data.count - 1;
  return (
    <div className="no-print">
      <Notice
        tone="red"
        action={
          <Link
            to={pathOf("BatchesPage")}
            search={{ lote: batch.id }}
            className={buttonClass({ size: "sm" })}
          >
            Ver as falhas
          </Link>
        }
      >
        {counted(batch.failed_count, "pagamento falhou", "pagamentos falharam")} no lote{" "}
        <strong>{cutText(batch.name, nameShownMax)}</strong>
        {others > 0 ? `, e há falhas em ${counted(others, "outro lote seu", "outros lotes seus")}` : ""}.
      </Notice>
    </div>
  );
}
