import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { pathOf, type RouteName } from "../shell/routes.ts";
import { PageHeader } from "../ui/page-header.tsx";
import styles from "./account.module.css";

const tabs: readonly { name: RouteName; label: string }[] = [
  { name: "MyAccountAccountDataPage", label: "Dados da conta" },
  { name: "MyAccountSecuritySettingsPage", label: "Segurança" },
];

/** The title of the area and its two pages (ACC-001). Each has an address of its own, so these are links. */
export function AccountHeader({ subtitle, actions }: { subtitle: string; actions?: ReactNode }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <>
      <PageHeader title="Minha conta" subtitle={subtitle} actions={actions} />
      <nav aria-label="Minha conta" className={styles.tabs}>
        {tabs.map(({ name, label }) => (
          <Link
            key={name}
            to={pathOf(name)}
            className={styles.tab ?? ""}
            aria-current={pathname === pathOf(name) ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
    </>
  );
}
