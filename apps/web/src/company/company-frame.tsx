import { readCompanySettings } from "@malote/contracts/company";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { companySettingsQuery } from "../shell/balance.ts";
import { may, useSession } from "../shell/session.ts";
import { useNamedPaths } from "../shell/use-named-path.ts";
import { PageHeader } from "../ui/page-header.tsx";
import { PageTabs } from "../ui/page-tabs.tsx";
import styles from "./company.module.css";
import { companyTabs } from "./tabs.ts";

interface CompanyFrameProps {
  subtitle: ReactNode;
  /** The primary button comes last. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Title of 'Minha empresa' and its tabs, around the page of one of them (COM-001). */
export function CompanyFrame({ subtitle, actions, children }: CompanyFrameProps) {
  const session = useSession();
  const pathTo = useNamedPaths();
  const settings = useQuery({ ...companySettingsQuery, enabled: may(readCompanySettings, session) });
  const tabs = companyTabs
    .filter(({ shows }) => !shows || shows(settings.data))
    .flatMap(({ name, label }) => {
      const to = pathTo(name);
      return to ? [{ to, label }] : [];
    });
  return (
    <div className={styles.page}>
      <PageHeader title="Minha empresa" subtitle={subtitle} actions={actions} />
      <PageTabs label="Minha empresa" tabs={tabs} />
      {children}
    </div>
  );
}
