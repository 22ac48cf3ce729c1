import type { ResponseOf } from "@malote/contracts/contract";
import { type readStatement, type StatementEntry, withdrawBalance } from "@malote/contracts/statement";
import { IconBuildingBank, IconPrinter } from "@tabler/icons-react";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { balanceQuery, companySettingsQuery } from "../shell/balance.ts";
import { errorSentence, generalText } from "../shell/call.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { ListFaces } from "../shell/list-faces.tsx";
import { may, useSession } from "../shell/session.ts";
import { useLastPage } from "../shell/use-last-page.ts";
import { useNamedPath } from "../shell/use-named-path.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Button } from "../ui/button.tsx";
import { currentMonth, formatMonth, isMonth } from "../ui/format.ts";
import { MonthPicker } from "../ui/month-picker.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { toast } from "../ui/toasts.tsx";
import { statementQuery } from "./api.ts";
import { openingOf } from "./entry-looks.ts";
import { StatementFigures } from "./statement-figures.tsx";
import { OldReport, StatementMenu } from "./statement-menu.tsx";
import styles from "./statement-page.module.css";
import { StatementTable } from "./statement-table.tsx";
import { seesWithdrawal } from "./who.ts";

const ReceivedPixDialog = lazyPart(() => import("./received-pix-dialog.tsx"));
const WithdrawDialog = lazyPart(() => import("./withdraw-dialog.tsx"));

function readSearch(raw: Record<string, string | undefined>) {
  return {
    /** STM-002: the current month by default. */
    mes: isMonth(raw["mes"]) ? raw["mes"] : currentMonth(),
    /** Page number, counted from 1 in the address. */
    pagina: Math.max(1, Math.floor(Number(raw["pagina"]) || 1)),
    /** Batch that is open above the page. */
    lote: raw["lote"],
    /** True while the question of STM-026 is open above it. */
    resgate: raw["resgate"] === "novo",
  };
}

export default function StatementPage() {
  const [{ mes, pagina, resgate }, change] = usePageSearch(readSearch);
  const canWithdraw = useCanWithdraw();
  const [receivedPix, setReceivedPix] = useState<StatementEntry>();
  const waitingPath = useNamedPath("WaitingBatchesPage");
  const statement = useQuery(statementQuery(mes, pagina - 1));
  // The top bar fetches it too, and reports its failures; this shows its last answer.
  const balance = useQuery(balanceQuery);
  useLastPage(statement, pagina, change);

  // STM-015: shown once for each failure, also while old rows are on the screen.
  const { error } = statement;
  useEffect(() => {
    const text = error && errorSentence(error, generalText);
    if (text) toast.bad(text);
  }, [error]);

  function open(entry: StatementEntry) {
    const opening = openingOf(entry);
    if (opening?.kind === "batch") change({ lote: opening.batchId });
    if (opening?.kind === "received_pix") setReceivedPix(entry);
  }

  return (
    <div className={styles.page}>
      <PageHeader
        title="Saldo"
        subtitle={`Extrato de ${formatMonth(mes)}`}
        actions={
          <div className={`${styles.actions} no-print`}>
            <MonthPicker value={mes} onChange={(month) => change({ mes: month, pagina: null })} />
            <StatementMenu month={mes} />
            <Button icon={<IconPrinter aria-hidden />} onClick={() => print()}>
              Imprimir
            </Button>
            {canWithdraw ? (
              <Button icon={<IconBuildingBank aria-hidden />} onClick={() => change({ resgate: "novo" })}>
                Resgatar saldo
              </Button>
            ) : null}
          </div>
        }
      />
      <StatementFigures balance={balance.data} statement={statement.data} waitingPath={waitingPath} />
      <section className={styles.section} aria-labelledby="extrato">
        <h2 id="extrato">Extrato</h2>
        <Entries
          statement={statement}
          page={pagina - 1}
          onPage={(page) => change({ pagina: page === 0 ? null : page + 1 })}
          onOpen={open}
        />
        <OldReport month={mes} />
      </section>
      <Suspense>
        {receivedPix ? (
          <ReceivedPixDialog entry={receivedPix} onClose={() => setReceivedPix(undefined)} />
        ) : null}
        {resgate && canWithdraw ? (
          <WithdrawDialog onClose={() => change({ resgate: null }, { replace: true })} />
        ) : null}
      </Suspense>
    </div>
  );
}

function useCanWithdraw(): boolean {
  const session = useSession();
  const { data: settings } = useQuery({ ...companySettingsQuery, enabled: may(withdrawBalance, session) });
  return session !== undefined && seesWithdrawal(session, settings);
}

interface EntriesProps {
  statement: UseQueryResult<ResponseOf<typeof readStatement>>;
  page: number;
  onPage: (page: number) => void;
  onOpen: (entry: StatementEntry) => void;
}

/** States of the table: loading, error, and content, which reports an empty month itself. */
function Entries({ statement, page, onPage, onOpen }: EntriesProps) {
  return (
    <ListFaces
      query={statement}
      loading="Carregando o extrato"
      failed="Não foi possível carregar o extrato"
      emptyFace={() => null}
    >
      {(month) => (
        <>
          <StatementTable
            statement={month}
            page={page}
            refetching={statement.isPlaceholderData}
            onOpen={onOpen}
          />
          <Pagination page={page} onPage={onPage} {...month.metadata.pagination} />
        </>
      )}
    </ListFaces>
  );
}
