import { profileNames } from "@malote/contracts/profiles";
import {
  IconBuilding,
  IconCode,
  IconDeviceDesktop,
  IconExternalLink,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { Menu, MenuChoice, MenuDivider, MenuItem, MenuLink } from "../ui/menu.tsx";
import { chooseTheme, type ThemeChoice, useThemeChoice } from "../ui/theme.tsx";
import { useBrand } from "./brand.ts";
import { logoutPath } from "./guards.ts";
import styles from "./profile-menu.module.css";
import type { Session } from "./session.ts";
import { useNamedPath } from "./use-named-path.ts";

const themes: { choice: ThemeChoice; label: string; icon: typeof IconSun }[] = [
  { choice: "auto", label: "Sistema", icon: IconDeviceDesktop },
  { choice: "light", label: "Claro", icon: IconSun },
  { choice: "dark", label: "Escuro", icon: IconMoon },
];

interface ProfileMenuDropdownProps {
  session: Session;
  onHelp: () => void;
  /** The button that is already on screen; the menu takes over its click. */
  opener: ComponentProps<typeof Menu>["opener"];
}

/** Entries whose screens exist, for people who may see them (SHL-034 to SHL-036). */
export default function ProfileMenuDropdown({ session, onHelp, opener }: ProfileMenuDropdownProps) {
  const brand = useBrand();
  const navigate = useNavigate();
  const theme = useThemeChoice();
  const isAdmin = session.profile === "admin";
  const company = useNamedPath("AdminCompanyDataPage");
  const account = useNamedPath("MyAccountAccountDataPage");
  const developer = useNamedPath("DeveloperAreaCredentialsPage");
  const entries = [
    { label: "Minha empresa", to: isAdmin ? company : undefined, icon: IconBuilding },
    { label: "Minha conta", to: account, icon: IconUser },
    { label: "Desenvolvedor", to: isAdmin ? developer : undefined, icon: IconCode },
  ];
  return (
    <Menu opener={opener} align="end" width={272} defaultOpened>
      <div className={styles.who}>
        <div className="strong cut">{session.name}</div>
        <div className="small muted cut">{session.company.name}</div>
        <div className="small faint">{profileNames[session.profile]}</div>
      </div>
      <MenuDivider />
      {entries.map(({ label, to, icon: Icon }) =>
        to ? (
          <MenuItem key={label} icon={<Icon size={18} aria-hidden />} onClick={() => void navigate({ to })}>
            {label}
          </MenuItem>
        ) : null,
      )}
      {brand.showStatusMenu && brand.statusUrl ? (
        <MenuLink
          href={brand.statusUrl}
          target="_blank"
          rel="noreferrer"
          icon={<IconExternalLink size={18} aria-hidden />}
        >
          Status
        </MenuLink>
      ) : null}
      <fieldset className={styles.themes} aria-label="Tema">
        {themes.map(({ choice, label, icon: Icon }) => (
          <MenuChoice
            key={choice}
            checked={theme === choice}
            stays
            className={styles.theme}
            onChoose={() => chooseTheme(choice)}
          >
            <Icon size={16} aria-hidden />
            {label}
          </MenuChoice>
        ))}
      </fieldset>
      <MenuItem icon={<IconKeyboard size={18} aria-hidden />} end={<kbd>?</kbd>} onClick={onHelp}>
        Atalhos do teclado
      </MenuItem>
      <MenuDivider />
      <MenuItem icon={<IconLogout size={18} aria-hidden />} onClick={() => void navigate({ to: logoutPath })}>
        Sair
      </MenuItem>
    </Menu>
  );
}
