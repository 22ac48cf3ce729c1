import type { ReactNode } from "react";
import { pathOf } from "../shell/routes.ts";
import { PageHeader } from "../ui/page-header.tsx";
import { PageTabs } from "../ui/page-tabs.tsx";

const tabs = [
  { to: pathOf("MyAccountAccountDataPage"), label: "Dados da conta" },
  { to: pathOf("MyAccountSecuritySettingsPage"), label: "Segurança" },
];

/** The title of the area and its two pages (ACC-001). */
export function AccountHeader({ subtitle, actions }: { subtitle: string; actions?: ReactNode }) {
  return (
    <>
      <PageHeader title="Minha conta" subtitle={subtitle} actions={actions} />
      <PageTabs label="Minha conta" tabs={tabs} />
    </>
  );
}
