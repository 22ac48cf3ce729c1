import { Suspense, useState } from "react";
import { initialsOf } from "../ui/format.ts";
import { lazyPart } from "./lazy-part.ts";
import { loadPart } from "./load-part.ts";
import styles from "./profile-menu.module.css";
import type { Session } from "./session.ts";

const ProfileMenuDropdown = lazyPart(() => import("./profile-menu-dropdown.tsx"));
/** Loads ahead of the click, which reports a failure. */
const fetchMenu = () => void loadPart(() => import("./profile-menu-dropdown.tsx")).catch(() => undefined);

/** The button is there at once; the menu itself loads when the person reaches for it. */
export function ProfileMenu({ session, onHelp }: { session: Session; onHelp: () => void }) {
  const [wanted, setWanted] = useState(false);
  const opener = (
    <button
      type="button"
      className={styles.opener}
      aria-haspopup="menu"
      onPointerEnter={fetchMenu}
      onFocus={fetchMenu}
      onClick={() => setWanted(true)}
    >
      <span className="sr-only">Menu de {session.name}</span>
      <span className={styles.avatar} aria-hidden>
        {initialsOf(session.name)}
      </span>
      <span aria-hidden>{session.name.trim().split(/\s+/)[0]}</span>
    </button>
  );
  if (!wanted) return opener;
  return (
    <Suspense fallback={opener}>
      <ProfileMenuDropdown session={session} onHelp={onHelp} opener={opener} />
    </Suspense>
  );
}
