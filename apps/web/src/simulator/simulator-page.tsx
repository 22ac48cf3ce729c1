import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useBrand } from "../shell/brand.ts";
import { errorSentence } from "../shell/call.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { useDocumentTitle } from "../shell/use-document-title.ts";
import { BrandMark } from "../ui/brand-mark.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { toast } from "../ui/toasts.tsx";
import { simulatorQuery, useStartOver } from "./api.ts";
import { ClockPanel } from "./clock-panel.tsx";
import { CompaniesPanel } from "./companies-panel.tsx";
import { DirectoryPanel } from "./directory-panel.tsx";
import { InfractionsPanel } from "./infractions-panel.tsx";
import { InstallationPanel } from "./installation-panel.tsx";
import { InvoicesPanel } from "./invoices-panel.tsx";
import { MagicPanel } from "./magic-panel.tsx";
import { MailsPanel } from "./mails-panel.tsx";
import { PayinsPanel } from "./payins-panel.tsx";
import { RailsPanel } from "./rails-panel.tsx";
import styles from "./simulator.module.css";
import { UsersPanel } from "./users-panel.tsx";

/** Control panel of the simulated environment. Exists only without real money. */
export function SimulatorPage() {
  useDocumentTitle("Simulador");
  const brand = useBrand();
  const simulator = useQuery(simulatorQuery);
  const startOver = useStartOver();
  const [asksToStartOver, setAsksToStartOver] = useState(false);

  return (
    <>
      <header className={styles.top}>
        <BrandMark brandId={brand.id} name={brand.name} />
        <span className={styles.tag}>Simulador</span>
        <a href="/" className={buttonClass({ size: "sm" })}>
          Abrir o {brand.name}
        </a>
      </header>
      <main className={styles.main}>
        <PageHeader
          title="Simulador"
          subtitle="O mundo lá fora em miniatura: bancos, relógio e e-mails. Nenhum dinheiro aqui é de verdade."
          actions={
            <Button look="danger" onClick={() => setAsksToStartOver(true)}>
              Recomeçar
            </Button>
          }
        />
        {simulator.isError && simulator.data ? (
          <Notice
            tone="yellow"
            action={
              <Button size="sm" busy={simulator.isFetching} onClick={() => void simulator.refetch()}>
                Tentar de novo
              </Button>
            }
          >
            {errorSentence(simulator.error)} O que está na tela pode ter mudado.
          </Notice>
        ) : null}
        {simulator.data ? (
          <>
            <div className={styles.columns}>
              <ClockPanel state={simulator.data} />
              <CompaniesPanel companies={simulator.data.companies} />
              <RailsPanel rails={simulator.data.rails} />
              <UsersPanel users={simulator.data.users} />
            </div>
            <DirectoryPanel />
            <PayinsPanel companies={simulator.data.companies} />
            <InstallationPanel />
            <InvoicesPanel />
            <InfractionsPanel />
            <MailsPanel />
            <MagicPanel values={simulator.data.magic_values} />
          </>
        ) : simulator.isPending ? (
          <LoadingState label="Carregando o simulador">
            <div className={styles.columns}>
              <Bone height={280} />
              <Bone height={280} />
            </div>
          </LoadingState>
        ) : (
          <FailedQuery title="Não foi possível abrir o simulador" query={simulator} />
        )}
      </main>
      <ConfirmDialog
        opened={asksToStartOver}
        title="Apagar tudo e recomeçar?"
        confirmLabel="Apagar e recomeçar"
        danger
        busy={startOver.isPending}
        onClose={() => setAsksToStartOver(false)}
        onConfirm={() =>
          startOver.mutate(undefined, {
            onSuccess: () => {
              toast.good("Tudo de novo: as empresas de demonstração estão como no primeiro dia.");
              setAsksToStartOver(false);
            },
          })
        }
      >
        Lotes, extratos, e-mails e ajustes da rede somem, e o relógio volta à hora real. Quem estiver usando o
        produto precisará entrar de novo.
      </ConfirmDialog>
    </>
  );
}
