import { IconShieldCheck, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useBrand } from "../shell/brand.ts";
import { checkpoints } from "../shell/checkpoints.ts";
import { useSession } from "../shell/session.ts";
import { IconButton } from "../ui/button.tsx";
import styles from "./security-notice.module.css";

/** SHL-043, SHL-044: a notice of the installation, shown until this person closes it. */
export function SecurityNotice() {
  const session = useSession();
  const { notice } = useBrand();
  const isOn = notice !== null && session?.feature_flags.includes("show-promotional-topbar-app") === true;
  const closed = useQuery({ ...checkpoints.exists("HAS_CLOSED_SECURITY_NOTICE"), enabled: isOn });
  const [isClosed, setIsClosed] = useState(false);
  if (!isOn || isClosed || closed.data !== false) return null;
  function close() {
    setIsClosed(true);
    void checkpoints.create("HAS_CLOSED_SECURITY_NOTICE");
  }
  return (
    <aside className={styles.bar} aria-label="Aviso de segurança">
      <IconShieldCheck size={18} aria-hidden />
      <p className={styles.text}>
        {notice.text}{" "}
        {notice.url ? (
          <a href={notice.url} target="_blank" rel="noreferrer">
            Saiba mais
          </a>
        ) : null}
      </p>
      <IconButton label="Fechar aviso" onClick={close}>
        <IconX size={18} aria-hidden />
      </IconButton>
    </aside>
  );
}
