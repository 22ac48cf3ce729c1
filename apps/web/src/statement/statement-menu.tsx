import { requestStatementCsv } from "@malote/contracts/reports";
import { IconChevronDown, IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { oldReportQuery, type StatementForm, useRequestStatement } from "../reports/api.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { daysOfMonth, type Month } from "../ui/format.ts";
import { Menu, MenuCheck, MenuDivider, MenuItem } from "../ui/menu.tsx";

const forms: readonly [form: StatementForm, label: string][] = [
  ["xlsx_v2", "Extrato XLS"],
  ["csv", "Extrato CSV"],
  ["ofx", "Extrato OFX"],
  ["pdf", "Extrato PDF"],
];

/** STM-021, STM-022: requests the visible month as a file, sent by e-mail. */
export function StatementMenu({ month }: { month: Month }) {
  const session = useSession();
  const mayAsk = may(requestStatementCsv, session);
  const usedOld = useQuery({ ...oldReportQuery, enabled: mayAsk });
  const ask = useRequestStatement();
  const [byPayment, setByPayment] = useState(false);
  if (!mayAsk) return null;
  const offered = usedOld.data === true ? [...forms, ["xlsx", "Relatório XLS"] as const] : forms;
  return (
    <Menu
      align="end"
      opener={
        <Button busy={ask.isPending} icon={<IconDownload aria-hidden />}>
          Baixar extratos
          <IconChevronDown aria-hidden />
        </Button>
      }
    >
      {offered.map(([form, label]) => (
        <MenuItem
          key={form}
          onClick={() =>
            ask.mutate({ form, ...daysOfMonth(month), ...(byPayment && { lines: "payments" as const }) })
          }
        >
          {label}
        </MenuItem>
      ))}
      <MenuDivider />
      <MenuCheck
        checked={byPayment}
        onChange={setByPayment}
        hint="Em lugar de uma linha por lote. Não importe as duas formas do mesmo período."
      >
        Uma linha por pagamento
      </MenuCheck>
    </Menu>
  );
}

/**
 * The menu offers the old report to people who have used it (STM-022). Here they use it the first time, out of the way
 * of people who do not need it.
 */
export function OldReport({ month }: { month: Month }) {
  const session = useSession();
  const mayAsk = may(requestStatementCsv, session);
  const usedOld = useQuery({ ...oldReportQuery, enabled: mayAsk });
  const ask = useRequestStatement();
  if (!mayAsk || usedOld.data !== false) return null;
  return (
    <p className="small muted no-print">
      Sua contabilidade ainda usa o formato antigo do extrato?{" "}
      <Button
        look="quiet"
        size="sm"
        busy={ask.isPending}
        onClick={() => ask.mutate({ form: "xlsx", ...daysOfMonth(month) })}
      >
        Receber o Relatório XLS
      </Button>
    </p>
  );
}
