import { requestStatementCsv } from "@malote/contracts/reports";
import { IconChevronDown, IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type StatementForm, useAskForStatement } from "../reports/api.ts";
import { checkpointQuery } from "../shell/checkpoints.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { daysOfMonth, type Month } from "../ui/format.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";

const forms: readonly [form: StatementForm, label: string][] = [
  ["xlsx_v2", "Extrato XLS"],
  ["csv", "Extrato CSV"],
  ["ofx", "Extrato OFX"],
  ["pdf", "Extrato PDF"],
];

/** STM-021, STM-022: the month in sight as a file, sent by e-mail. */
export function StatementMenu({ month }: { month: Month }) {
  const session = useSession();
  const mayAsk = may(requestStatementCsv, session);
  const usedOld = useQuery({ ...checkpointQuery("HAS_USED_OLD_STATEMENT_REPORT"), enabled: mayAsk });
  const ask = useAskForStatement();
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
        <MenuItem key={form} onClick={() => ask.mutate({ form, ...daysOfMonth(month) })}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
