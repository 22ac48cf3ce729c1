import { type StatementEntry, withdrawBalance } from "@malote/contracts/statement";
import { IconBuildingBank, IconPrinter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { balanceQuery, companySettingsQuery } from "../shell/balance.ts";
import { errorSentence, generalText } from "../shell/call.ts";
import { useLayerSearch } from "../shell/layer-search.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { ListPage } from "../shell/list-page.tsx";
import { useListSearch } from "../shell/list-search.ts";
import { may, useSession } from "../shell/session.ts";
import { useNamedPath } from "../shell/use-named-path.ts";
import { Button } from "../ui/button.tsx";
import { formatMonth } from "../ui/format.ts";
import { MonthPicker } from "../ui/month-picker.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { toast } from "../ui/toasts.tsx";
import { statementQuery } from "./api.ts";
import { openingOf } from "./entry-looks.ts";
import { statementSearch } from "./search.ts";
import { StatementFigures } from "./statement-figures.tsx";
import { OldReport, StatementMenu } from "./statement-menu.tsx";
import styles from "./statement-page.module.css";
import { StatementTable } from "./statement-table.tsx";
import { seesWithdrawal } from "./who.ts";

const ReceivedPixDialog = lazyPart(() => import("./received-pix-dialog.tsx"));
const WithdrawDialog = lazyPart(() => import("./withdraw-dialog.tsx"));

export default function StatementPage() {
  const search = useListSearch(statementSearch);
  const { mes, resgate } = search.values;
  const { change } = search;
  const [, changeLayer] = useLayerSearch();
  const canWithdraw = useCanWithdraw();
  const [receivedPix, setReceivedPix] = useState<StatementEntry>();
  const waitingPath = useNamedPath("WaitingBatchesPage");
  const statement = useQuery(statementQuery(mes, search.page - 1));
  // The top bar fetches it too, and reports its failures; this shows its last answer.
  const balance = useQuery(balanceQuery);

  // STM-015: shown once for each failure, also while old rows are on the screen.
  const { error } = statement;
  useEffect(() => {
    const text = error && errorSentence(error, generalText);
    if (text) toast.bad(text);
  }, [error]);

  function open(entry: StatementEntry) {
    const opening = openingOf(entry);
    if (opening?.kind === "batch") changeLayer({ lote: opening.batchId });
    if (opening?.kind === "received_pix") setReceivedPix(entry);
  }

  return (
    <div className={styles.page}>
      <PageHeader
        title="Saldo"
        subtitle={`Extrato de ${formatMonth(mes)}`}
        actions={
          <div className={`${styles.actions} no-print`}>
            <MonthPicker value={mes} onChange={(month) => search.filter({ mes: month })} />
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
        <ListPage
          search={search}
          query={statement}
          loading="Carregando o extrato"
          failed="Não foi possível carregar o extrato"
          // The table says itself that a month is empty.
          emptyFace={() => null}
          numbered={({ metadata }) => metadata.pagination}
        >
          {(month) => (
            <StatementTable
              statement={month}
              page={search.page - 1}
              refetching={statement.isPlaceholderData}
              onOpen={open}
            />
          )}
        </ListPage>
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
