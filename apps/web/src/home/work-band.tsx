import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { counted } from "../ui/format.ts";
import { systemNow } from "../ui/system-time.ts";
import { homeQuery } from "./api.ts";
import styles from "./home.module.css";
import { WorkQueue } from "./work-queue.tsx";

const foldedKey = "malote.work-band";

/** Shows the same queue above the batches, folded as the person left it; hidden when empty. */
export default function WorkBand() {
  const { data } = useQuery(homeQuery);
  const [isOpen, setOpen] = useState(() => localStorage.getItem(foldedKey) === "open");
  if (!data || data.count === 0) return null;
  return (
    <details
      className={`panel ${styles.band}`}
      open={isOpen}
      onToggle={(event) => {
        const { open } = event.currentTarget;
        setOpen(open);
        localStorage.setItem(foldedKey, open ? "open" : "folded");
      }}
    >
      <summary>
        <strong>Para fazer agora</strong>{" "}
        <span className="muted">{counted(data.count, "item", "itens")}</span>
      </summary>
      {isOpen ? <WorkQueue items={data.work} now={systemNow()} /> : null}
    </details>
  );
}
