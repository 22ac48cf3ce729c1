import {
  IconBuilding,
  IconBuildingBank,
  IconCode,
  IconHeartbeat,
  IconLogout,
  IconNews,
  IconShieldCheck,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useBrand } from "./brand.ts";
import { logoutPath } from "./guards.ts";
import { pathOf } from "./routes.ts";
import { hasApplication, type Session } from "./session.ts";
import styles from "./sidebar.module.css";
import { useNamedPath } from "./use-named-path.ts";

/** Areas and exits (SHL-025), below the pages of the application. Entries without a screen are hidden. */
export function SideMenu({ session, folded }: { session: Session; folded: boolean }) {
  const brand = useBrand();
  const isAdmin = session.profile === "admin";
  const payments = useNamedPath("BatchesPage") && pathOf("PaymentsHome");
  const validation = useNamedPath("ValidationHistoryPage") && pathOf("ValidationHome");
  const company = useNamedPath("AdminCompanyDataPage") && pathOf("CompanyHome");
  const developer = useNamedPath("DeveloperAreaCredentialsPage") && pathOf("DeveloperHome");

  // An area's own address, so that its entry is current on each of its pages.
  const areas = [
    // SHL-027: choosing the other application switches to it, because its pages name it.
    { label: "Pagamentos", to: hasApplication(session, "payments") && payments, icon: IconBuildingBank },
    { label: "ContaCerta", to: hasApplication(session, "validation") && validation, icon: IconShieldCheck },
    // SHL-026: operators may enter the developer area, but get no entry.
    { label: "Minha empresa", to: isAdmin && company, icon: IconBuilding },
    { label: "Desenvolvedor", to: isAdmin && developer, icon: IconCode },
  ];
  const outside = [
    { label: "Status", href: brand.showStatusMenu && brand.statusUrl, icon: IconHeartbeat },
    { label: "Blog", href: brand.blogUrl, icon: IconNews },
  ];
  const look = (label: string) => ({
    className: styles.entry ?? "",
    title: folded ? label : undefined,
  });
  const words = (label: string) => <span className={folded ? "sr-only" : ""}>{label}</span>;
  return (
    <nav aria-label="Áreas e saída" className={`${styles.group} ${styles.areas}`}>
      {areas.map(({ label, to, icon: Icon }) =>
        to ? (
          <Link key={label} to={to} {...look(label)}>
            <Icon size={20} stroke={1.6} aria-hidden />
            {words(label)}
          </Link>
        ) : null,
      )}
      {outside.map(({ label, href, icon: Icon }) =>
        href ? (
          <a key={label} href={href} target="_blank" rel="noreferrer" {...look(label)}>
            <Icon size={20} stroke={1.6} aria-hidden />
            {words(label)}
          </a>
        ) : null,
      )}
      <Link to={logoutPath} {...look("Sair")} preload={false}>
        <IconLogout size={20} stroke={1.6} aria-hidden />
        {words("Sair")}
      </Link>
    </nav>
  );
}
