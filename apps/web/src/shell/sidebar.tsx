import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconX } from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { BrandMark } from "../ui/brand-mark.tsx";
import { IconButton } from "../ui/button.tsx";
import { ModalLayer } from "../ui/modal-layer.tsx";
import { useBrand } from "./brand.ts";
import { type Feature, type LeadEntry, type NavEntry, type NavGroup, navGroups } from "./feature.ts";
import { suits } from "./guards.ts";
import { accessOf, pathOf } from "./routes.ts";
import { hasApplication, type Session } from "./session.ts";
import { SideMenu } from "./side-menu.tsx";
import styles from "./sidebar.module.css";

/** From this width on the sidebar is beside the page (sidebar.module.css). */
const besideThePage = "(min-width: 901px)";

/** SHL-033: ContaCerta belongs to the validation application, the other groups to payments. */
const applicationOf: Record<NavGroup, "payments" | "validation"> = {
  Pagamentos: "payments",
  Recebimentos: "payments",
  ContaCerta: "validation",
  Contestações: "payments",
};

export function visibleEntries(features: readonly Feature[], session: Session): Map<NavGroup, NavEntry[]> {
  const entries = features.flatMap((feature) => feature.nav ?? []);
  const visible = navGroups.map((group) => {
    const own = entries.filter(
      (entry) =>
        entry.group === group &&
        suits(accessOf(entry.to), session) &&
        (!entry.flag || session.feature_flags.includes(entry.flag)),
    );
    return [group, hasApplication(session, applicationOf[group]) ? own : []] as const;
  });
  return new Map(visible.filter(([, own]) => own.length > 0));
}

/** Visible entries of the menu, group by group. */
export const menuEntries = (features: readonly Feature[], session: Session): [NavGroup, NavEntry[]][] =>
  [...visibleEntries(features, session)]
    .map(([group, own]): [NavGroup, NavEntry[]] => [group, own.filter(({ outsideMenu }) => !outsideMenu)])
    .filter(([, own]) => own.length > 0);

/** Entries above the groups: those of the payments application that the person may enter. */
export const leadEntries = (features: readonly Feature[], session: Session): LeadEntry[] =>
  hasApplication(session, "payments")
    ? features.flatMap(({ lead }) => (lead && suits(accessOf(lead.to), session) ? [lead] : []))
    : [];

function Entry({
  to: name,
  label,
  icon: Icon,
  badge: Badge,
  folded,
  pathname,
}: LeadEntry & { folded: boolean; pathname: string }) {
  const to = pathOf(name);
  return (
    <Link
      to={to}
      className={styles.entry ?? ""}
      title={folded ? label : undefined}
      aria-current={pathname === to || pathname.startsWith(`${to}/`) ? "page" : undefined}
    >
      <Icon size={20} stroke={1.6} aria-hidden />
      <span className={folded ? "sr-only" : ""}>{label}</span>
      {Badge ? <Badge /> : null}
    </Link>
  );
}

interface ContentProps {
  features: readonly Feature[];
  session: Session;
  folded: boolean;
  /** Content beside the brand: a button. */
  button: ReactNode;
}

function Content({ features, session, folded, button }: ContentProps) {
  const brand = useBrand();
  const pathname = useLocation({ select: (location) => location.pathname });
  const groups = useRef<HTMLDivElement>(null);
  // On a low screen the pages scroll, so the open one, with its badge, is scrolled into view.
  useEffect(() => {
    const current = groups.current?.querySelector(`[aria-current="page"]`);
    if (pathname && current) current.scrollIntoView?.({ block: "nearest" });
  }, [pathname]);

  const [lead] = leadEntries(features, session);
  const homePath = lead ? pathOf(lead.to) : "/";
  return (
    <>
      <div className={styles.head}>
        <Link to={homePath} className={styles.logo ?? ""} aria-label={`${brand.name}, página inicial`}>
          <BrandMark brandId={brand.id} name={brand.name} nameHidden={folded} />
        </Link>
        {button}
      </div>
      <div ref={groups} className={styles.groups}>
        {leadEntries(features, session).map((entry) => (
          <nav key={entry.to} aria-label={entry.label}>
            <Entry {...entry} folded={folded} pathname={pathname} />
          </nav>
        ))}
        {menuEntries(features, session).map(([group, entries]) => (
          <nav key={group} aria-label={group} className={styles.group}>
            <div className={styles.title} aria-hidden>
              {folded ? "" : group}
            </div>
            {entries.map((entry) => (
              <Entry key={entry.to} {...entry} folded={folded} pathname={pathname} />
            ))}
          </nav>
        ))}
      </div>
      <SideMenu session={session} folded={folded} />
    </>
  );
}

interface SidebarProps {
  features: readonly Feature[];
  session: Session;
  collapsed: boolean;
  onToggle: () => void;
}

/** Icons and words, by group, beside the page. On narrow windows the drawer has the same content. */
export function Sidebar({ features, session, collapsed, onToggle }: SidebarProps) {
  const Icon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <aside className={styles.side} data-collapsed={collapsed || undefined} aria-label="Menu principal">
      <Content
        features={features}
        session={session}
        folded={collapsed}
        button={
          <IconButton label={collapsed ? "Mostrar nomes do menu" : "Recolher menu"} onClick={onToggle}>
            <Icon size={20} stroke={1.6} aria-hidden />
          </IconButton>
        }
      />
    </aside>
  );
}

interface DrawerProps {
  features: readonly Feature[];
  session: Session;
  onClose: () => void;
}

/** Sidebar of narrow windows: a dialog at the left edge, closed by choosing a page too. */
export function Drawer({ features, session, onClose }: DrawerProps) {
  useEffect(() => {
    const wide = matchMedia(besideThePage);
    const closeWhenWide = () => wide.matches && onClose();
    wide.addEventListener("change", closeWhenWide);
    return () => wide.removeEventListener("change", closeWhenWide);
  }, [onClose]);
  return (
    <ModalLayer onClose={onClose} place="side" label="Menu principal" className={styles.drawer}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links do the work, by keyboard too */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
      <div
        className={styles.side}
        onClick={(event) => {
          if ((event.target as Element).closest("a")) onClose();
        }}
      >
        <Content
          features={features}
          session={session}
          folded={false}
          button={
            <IconButton label="Fechar menu" onClick={onClose}>
              <IconX size={18} aria-hidden />
            </IconButton>
          }
        />
      </div>
    </ModalLayer>
  );
}
