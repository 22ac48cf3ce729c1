import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import styles from "./page-tabs.module.css";

interface PageTabsProps {
  /** Name of the area: `Minha empresa`. */
  label: string;
  tabs: readonly { to: string; label: string }[];
}

/** Pages of one area. Each has an address of its own, so these are links. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const pathname = useLocation({ select: (location) => location.pathname });
  const bar = useRef<HTMLElement>(null);
  // A phone cannot show all of them, so the open one is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another tab
  useEffect(() => {
    const current = bar.current?.querySelector("[aria-current]");
    current?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }, [pathname, tabs.length]);
  return (
    <nav ref={bar} aria-label={label} className={styles.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className={styles.tab ?? ""}
          aria-current={pathname === tab.to ? "page" : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
