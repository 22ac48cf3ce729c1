import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { pathOf } from "../shell/routes.ts";
import { buttonClass } from "../ui/button.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { PageTabs } from "../ui/page-tabs.tsx";
import styles from "./settings.module.css";

const tabs = [
  { to: pathOf("PaymentsBankAccountsPage"), label: "Dados bancários" },
  { to: pathOf("PaymentsGeneralSettings"), label: "Configurações gerais" },
];

/** SET-001: title and tabs, around the page of one of them. */
export function SettingsFrame({ subtitle, children }: { subtitle: string; children: ReactNode }) {
  // SHL-019: a person who came from sending balance returns to it.
  const cameFrom = useLocation({
    select: ({ state }) => state.redirectedFrom,
  });
  return (
    <div className={styles.page}>
      <PageHeader
        title="Configurações"
        subtitle={subtitle}
        actions={
          cameFrom === "StatementPage" ? (
            <Link to={pathOf("StatementPage")} className={buttonClass()}>
              <IconArrowLeft size={18} aria-hidden />
              Voltar ao saldo
            </Link>
          ) : null
        }
      />
      <PageTabs label="Configurações" tabs={tabs} />
      {children}
    </div>
  );
}

interface SectionProps {
  id: string;
  title: string;
  help?: string;
  children: ReactNode;
}

export function Section({ id, title, help, children }: SectionProps) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.intro}>
        <h2 id={id}>{title}</h2>
        {help ? <p className="muted">{help}</p> : null}
      </div>
      {children}
    </section>
  );
}
