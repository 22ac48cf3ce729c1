import type { NewNotice } from "@malote/contracts/installation";
import { type FormEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Switch } from "../ui/switch.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { type Installation, useAnnounce, useEndNotice, useShowNotices } from "./api.ts";
import styles from "./simulator.module.css";

/** A maintenance announced here begins in an hour and takes two, long enough to look at. */
const hourMs = 3_600_000;
const kindNames = { incident: "Incidente", maintenance: "Manutenção" } as const;

export function NoticesForm({ notices, shows }: { notices: Installation["notices"]; shows: boolean }) {
  const show = useShowNotices();
  const announce = useAnnounce();
  const end = useEndNotice();
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();

  function publish(kind: NewNotice["kind"]) {
    if (announce.isPending) return;
    if (name.trim() === "") {
      setProblem("Escreva o texto do aviso");
      return;
    }
    const text = { name: name.trim(), link: `${window.location.origin}/simulador` };
    const now = Date.now();
    announce.mutate(
      kind === "incident"
        ? { kind, ...text }
        : {
            kind,
            ...text,
            starts_at: new Date(now + hourMs).toISOString(),
            ends_at: new Date(now + 3 * hourMs).toISOString(),
          },
      {
        onSuccess: () => {
          setName("");
          toast.good("Aviso publicado.");
        },
      },
    );
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        publish("incident");
      }}
    >
      <Switch on={shows} busy={show.isPending} onChange={(on) => show.mutate(on)}>
        Mostrar no sandbox os avisos de incidente e manutenção
      </Switch>
      <TextField
        label="Texto do aviso"
        maxLength={500}
        value={name}
        error={problem}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <div className={styles.end}>
        <Button size="sm" busy={announce.isPending} onClick={() => publish("maintenance")}>
          Publicar manutenção
        </Button>
        <Button type="submit" size="sm" look="primary" busy={announce.isPending}>
          Publicar incidente
        </Button>
      </div>
      {notices.length > 0 ? (
        <ul className={styles.notices} aria-label="Avisos em vigor">
          {notices.map((notice) => (
            <li key={notice.id}>
              <span>
                {kindNames[notice.kind]}: {notice.name}{" "}
                <span className="small muted num">
                  {formatDateTime(notice.starts_at)}
                  {notice.ends_at ? ` a ${formatDateTime(notice.ends_at)}` : ""}
                </span>
              </span>
              <Button size="sm" look="quiet" busy={end.isPending} onClick={() => end.mutate(notice.id)}>
                Encerrar
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </form>
  );
}
