import { IconMenu2, IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { IconButton } from "../ui/button.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { useBalance } from "./balance.ts";
import type { Feature } from "./feature.ts";
import { ProfileMenu } from "./profile-menu.tsx";
import { pathOf } from "./routes.ts";
import type { Session } from "./session.ts";
import styles from "./top-bar.module.css";

interface TopBarProps {
  features: readonly Feature[];
  session: Session;
  onMenu: () => void;
  onPalette: () => void;
  onHelp: () => void;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export function TopBar({ features, session, onMenu, onPalette, onHelp }: TopBarProps) {
  const { hidden, balance } = useBalance(session);
  return (
    <header className={styles.bar}>
      <IconButton label="Abrir menu" className={styles.menu ?? ""} onClick={onMenu}>
        <IconMenu2 size={20} aria-hidden />
      </IconButton>
      <button
        type="button"
        className={styles.search}
        onClick={onPalette}
        aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
      >
        <IconSearch size={18} aria-hidden />
        <span>{session.application.id === "validation" ? "Buscar página" : "Buscar lote ou página"}</span>
        <kbd aria-hidden>{isMac ? "⌘ K" : "Ctrl K"}</kbd>
      </button>
      {hidden ? null : (
        <div className={styles.figures}>
          <Figure label="Saldo" to={pathOf("StatementPage")} cents={balance?.value} />
          <Figure
            label="Aguardando recebimento"
            to={pathOf("WaitingBatchesPage")}
            cents={balance?.waiting_value}
            wide
          />
          {features.map(({ topBar: Action, pages }) =>
            Action ? <Action key={pages[0]?.path ?? "of no page"} /> : null,
          )}
        </div>
      )}
      <div className={styles.own}>
        {features.map(({ bell: Bell }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the features are the same for as long as the page lives
          Bell ? <Bell key={index} /> : null,
        )}
        <ProfileMenu session={session} onHelp={onHelp} />
      </div>
    </header>
  );
}

function Figure({
  label,
  to,
  cents,
  wide = false,
}: {
  label: string;
  to: string;
  cents: number | undefined;
  wide?: boolean;
}) {
  return (
    <Link to={to} className={styles.figure ?? ""} data-wide={wide || undefined}>
      <span className="small faint">{label}</span>
      {cents === undefined ? (
        <span className={styles.unknown}>—</span>
      ) : (
        <MoneyText cents={cents} className="strong" />
      )}
    </Link>
  );
}
