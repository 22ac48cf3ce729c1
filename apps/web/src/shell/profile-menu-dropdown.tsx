import "@mantine/core/styles/Menu.css";
import "@mantine/core/styles/Popover.css";
import { Menu } from "@mantine/core";
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
import { cloneElement, type ReactElement } from "react";
import { type ThemeChoice, useThemeChoice } from "../ui/theme.tsx";
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

const profileNames = { admin: "Administrador", operator: "Operador", analyst: "Analista" } as const;

/** Entries whose screens exist, for those who may see them (SHL-034 to SHL-036). */
interface ProfileMenuDropdownProps {
  session: Session;
  onHelp: () => void;
  /** The button already on screen; the menu takes over its click. */
  opener: ReactElement;
}

export default function ProfileMenuDropdown({ session, onHelp, opener }: ProfileMenuDropdownProps) {
  const brand = useBrand();
  const navigate = useNavigate();
  const [theme, setTheme] = useThemeChoice();
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
    <Menu position="bottom-end" width={272} defaultOpened>
      <Menu.Target>
        {cloneElement(opener as ReactElement<{ onClick?: undefined }>, { onClick: undefined })}
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.who}>
          <div className="strong cut">{session.name}</div>
          <div className="small muted cut">{session.company.name}</div>
          <div className="small faint">{profileNames[session.profile]}</div>
        </div>
        <Menu.Divider />
        {entries.map(({ label, to, icon: Icon }) =>
          to ? (
            <Menu.Item
              key={label}
              leftSection={<Icon size={18} aria-hidden />}
              onClick={() => void navigate({ to })}
            >
              {label}
            </Menu.Item>
          ) : null,
        )}
        {brand.showStatusMenu && brand.statusUrl ? (
          <Menu.Item
            component="a"
            href={brand.statusUrl}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={18} aria-hidden />}
          >
            Status
          </Menu.Item>
        ) : null}
        <fieldset className={styles.themes} aria-label="Tema">
          {themes.map(({ choice, label, icon: Icon }) => (
            <Menu.RadioItem
              key={choice}
              value={choice}
              checked={theme === choice}
              closeMenuOnClick={false}
              rightSection={null}
              checkIcon={<span />}
              onChange={() => setTheme(choice)}
            >
              <Icon size={16} aria-hidden />
              {label}
            </Menu.RadioItem>
          ))}
        </fieldset>
        <Menu.Item
          leftSection={<IconKeyboard size={18} aria-hidden />}
          rightSection={<kbd>?</kbd>}
          onClick={onHelp}
        >
          Atalhos do teclado
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={18} aria-hidden />}
          onClick={() => void navigate({ to: logoutPath })}
        >
          Sair
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
