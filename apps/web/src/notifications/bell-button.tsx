import { countWork } from "@malote/contracts/home";
import { listNotifications } from "@malote/contracts/notifications";
import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useRef, useState } from "react";
import { workCountQuery } from "../home/api.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { may, useSession } from "../shell/session.ts";
import { IconButton } from "../ui/button.tsx";
import { CountBadge, shownCount } from "../ui/count-badge.tsx";
import { counted } from "../ui/format.ts";
import { notificationsQuery } from "./api.ts";
import { ChangeWatcher } from "./change-watcher.tsx";
import styles from "./notifications.module.css";

const BellPanel = lazyPart(() => import("./bell-panel.tsx"));

/**
 * Button for files, notifications and work, on every page. It shows the number of open items and unseen notifications.
 */
export default function BellButton() {
  const session = useSession();
  const mayRead = may(listNotifications, session);
  const { data: listed } = useQuery({ ...notificationsQuery, enabled: mayRead });
  const { data: work } = useQuery({ ...workCountQuery, enabled: may(countWork, session) });
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  if (!mayRead) return null;
  const [toDo, unseen] = [work?.count ?? 0, listed?.unseen ?? 0];
  const words = [
    toDo > 0 && counted(toDo, "item para fazer", "itens para fazer"),
    unseen > 0 && counted(unseen, "aviso novo", "avisos novos"),
  ]
    .filter(Boolean)
    .join(" e ");
  // The accessible name contains the visible text, for people who control the computer by voice.
  const shown = shownCount(toDo + unseen);
  return (
    <span className={styles.bell}>
      <ChangeWatcher />
      <IconButton
        ref={button}
        label={words ? `Arquivos e avisos, ${shown}: ${words}` : "Arquivos e avisos"}
        aria-expanded={opened}
        aria-haspopup="dialog"
        onClick={() => setOpened(!opened)}
      >
        <IconBell size={20} stroke={1.6} aria-hidden />
        <span className={styles.count} aria-hidden>
          <CountBadge count={toDo + unseen} words={words} />
        </span>
      </IconButton>
      {opened ? (
        <Suspense>
          <BellPanel anchor={button} toDo={toDo} onClose={() => setOpened(false)} />
        </Suspense>
      ) : null}
    </span>
  );
}
