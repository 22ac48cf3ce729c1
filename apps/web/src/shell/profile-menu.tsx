import { lazy, Suspense, useState } from "react";
import { initialsOf } from "../ui/format.ts";
import styles from "./profile-menu.module.css";
import type { Session } from "./session.ts";

const loadMenu = () => import("./profile-menu-dropdown.tsx");
const ProfileMenuDropdown = lazy(loadMenu);

/** The opener is there at once; the menu itself arrives when somebody reaches for it. */
export function ProfileMenu({ session, onHelp }: { session: Session; onHelp: () => void }) {
  const [wanted, setWanted] = useState(false);
  const opener = (
    <button
      type="button"
      className={styles.opener}
      aria-haspopup="menu"
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => setWanted(true)}
    >
      <span className="sr-only">Menu de {session.name}</span>
      <span className={styles.avatar} aria-hidden>
        {initialsOf(session.name)}
      </span>
      <span className={styles.name} aria-hidden>
        {session.name.trim().split(/\s+/)[0]}
      </span>
    </button>
  );
  if (!wanted) return opener;
  return (
    <Suspense fallback={opener}>
      <ProfileMenuDropdown session={session} onHelp={onHelp} opener={opener} />
    </Suspense>
  );
}
