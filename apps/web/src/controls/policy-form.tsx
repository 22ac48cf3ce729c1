import { type ControlPolicyOnWire, type Controls, saveControls } from "@malote/contracts/controls";
import { approversMax, bandsMax, quarantineHoursMax } from "@malote/domain/controls";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { KeptFormNotice, useKeptForm } from "../payments/parts.ts";
import { errorSentence } from "../shell/call.ts";
import { may, useSession } from "../shell/session.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { MoneyInput } from "../ui/money-input.tsx";
import { Select } from "../ui/select.tsx";
import { Switch } from "../ui/switch.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { useSaveControls } from "./api.ts";
import styles from "./controls.module.css";
import { approversText } from "./words.ts";

const approverOptions = Array.from({ length: approversMax + 1 }, (_, count) => ({
  value: String(count),
  label: approversText(count),
}));

/** Values being typed: amounts and hours may be empty meanwhile. */
interface Typed extends Omit<ControlPolicyOnWire, "bands" | "step_up_from" | "quarantine_hours"> {
  bands: { key: number; from: number | null; approvers: number }[];
  asksForCode: boolean;
  stepUpFrom: number | null;
  hours: string;
}

const typedOf = (policy: ControlPolicyOnWire): Typed => {
  const { bands, step_up_from, quarantine_hours, ...rest } = policy;
  return {
    ...rest,
    bands: bands.map((band, key) => ({ key, ...band })),
    asksForCode: step_up_from !== null,
    stepUpFrom: step_up_from,
    hours: String(quarantine_hours),
  };
};

/** Undefined while an amount or the hours are missing. */
function policyOf({
  bands,
  asksForCode,
  stepUpFrom,
  hours,
  ...rest
}: Typed): ControlPolicyOnWire | undefined {
  const whole = bands.flatMap(({ from, approvers }) => (from === null ? [] : [{ from, approvers }]));
  const quarantine_hours = readHours(hours);
  if (whole.length < bands.length || (asksForCode && stepUpFrom === null) || quarantine_hours === undefined)
    return undefined;
  return {
    ...rest,
    bands: whole,
    step_up_from: asksForCode ? stepUpFrom : null,
    quarantine_hours,
  };
}

const readHours = (text: string): number | undefined =>
  /^\d+$/.test(text) && Number(text) <= quarantineHoursMax ? Number(text) : undefined;

export function PolicyForm({ controls }: { controls: Controls }) {
  const session = useSession();
  // Starts with the pending values when a change waits: with the old ones, saving another field would undo it
  // unnoticed.
  const [start] = useState(() => typedOf((controls.later ?? controls).policy));
  const [typed, setTyped] = useState(start);
  const [wasSent, setWasSent] = useState(false);
  const [refused, setRefused] = useState(0);
  const save = useSaveControls({
    onSuccess: ({ outcome, in_force_at }) => {
      kept.forget();
      // The requested change is among the requests; this is the policy in force.
      if (outcome === "waits_for_approval") setTyped(start);
      toast.good(
        outcome === "waits_for_approval"
          ? "Mudança enviada para a aprovação de outro administrador."
          : outcome === "later" && in_force_at
            ? `Salvo. Como afrouxa os controles, vale a partir de ${formatDateTime(in_force_at)}.`
            : "Controles salvos.",
      );
    },
    onError: (error) => {
      const text = errorSentence(error, "Não foi possível salvar os controles.");
      if (text) toast.bad(text);
    },
  });
  const policy = policyOf(typed);
  // Keeps the form over other pages of the application too, because a click in the menu must not discard it.
  const kept = useKeptForm({ keptIn: "controles", id: String(controls.version), form: typed, start });
  const offer = kept.offer(setTyped);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refused > 0) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [refused]);

  const change = (changes: Partial<Typed>) => setTyped((before) => ({ ...before, ...changes }));
  const changeBand = (key: number, changes: Partial<Typed["bands"][number]>) =>
    change({ bands: typed.bands.map((band) => (band.key === key ? { ...band, ...changes } : band)) });
  const admins = controls.people.filter(({ profile }) => profile === "admin");
  const operators = controls.people.filter(({ profile }) => profile === "operator");
  // A person without a second factor has no code, so cannot approve from that amount on.
  const profileText = (profile: string, hasFactor: boolean) =>
    typed.asksForCode && !hasFactor ? `${profile}, sem autenticador: não aprova o que pede código` : profile;
  const hasOtherAdmin = admins.some(({ id }) => id !== session?.sub);

  function submit(event: FormEvent) {
    event.preventDefault();
    setWasSent(true);
    if (!policy) return setRefused(refused + 1);
    if (save.isPending) return;
    save.mutate({ version: controls.version, policy });
  }

  return (
    <form ref={form} className={`panel ${styles.form}`} onSubmit={submit} noValidate>
      {offer ? (
        <div className={styles.offer}>
          <KeptFormNotice {...offer} />
        </div>
      ) : null}
      <Part title="Outra pessoa" help="Quem preparou um pagamento não o aprova, nem com uma credencial.">
        <Switch on={typed.requires_other_approver} onChange={(on) => change({ requires_other_approver: on })}>
          Exigir aprovação por outra pessoa
        </Switch>
      </Part>
      <Part
        title="Por valor"
        help="Vale o maior entre o total do lote, o maior pagamento, o que a mesma pessoa enviou no dia e o que um recebedor recebe no dia. Dividir não ajuda."
      >
        <ul className={styles.bands}>
          {typed.bands.map((band, at) => (
            <li key={band.key} className={styles.band}>
              <MoneyInput
                label={at === 0 ? "A partir de" : `A partir de, faixa ${at + 1}`}
                value={band.from}
                disabled={at === 0}
                error={wasSent && band.from === null ? "Digite um valor" : undefined}
                onChange={(from) => changeBand(band.key, { from })}
              />
              <Select
                label={at === 0 ? "Precisa de" : `Precisa de, faixa ${at + 1}`}
                data={approverOptions}
                value={String(band.approvers)}
                onChange={(count) => changeBand(band.key, { approvers: Number(count) })}
              />
              {at === 0 ? (
                <span />
              ) : (
                <IconButton
                  label={`Excluir a faixa ${at + 1}`}
                  onClick={() => change({ bands: typed.bands.filter(({ key }) => key !== band.key) })}
                >
                  <IconTrash size={18} aria-hidden />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
        {typed.bands.length < bandsMax ? (
          <Button
            size="sm"
            icon={<IconPlus aria-hidden />}
            onClick={() => {
              const last = typed.bands.at(-1)?.approvers ?? 0;
              const key = Math.max(...typed.bands.map((one) => one.key)) + 1;
              const band = { key, from: null, approvers: Math.min(last + 1, approversMax) };
              change({ bands: [...typed.bands, band] });
            }}
          >
            Adicionar faixa
          </Button>
        ) : null}
      </Part>
      <Part title="Quem aprova" help="Todos os administradores, e os operadores que você escolher.">
        <ul className={styles.people}>
          {admins.map(({ id, name, has_factor }) => (
            <li key={id}>
              <span>{name}</span>
              <span className="small muted">{profileText("Administrador", has_factor)}</span>
            </li>
          ))}
          {operators.map(({ id, name, has_factor }) => (
            <li key={id}>
              <Switch
                on={typed.operator_approvers.includes(id)}
                onChange={(on) =>
                  change({
                    operator_approvers: on
                      ? [...typed.operator_approvers, id].sort()
                      : typed.operator_approvers.filter((other) => other !== id),
                  })
                }
              >
                {name}
              </Switch>
              <span className="small muted">{profileText("Operador", has_factor)}</span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Código do autenticador" help="Pedido a quem aprova, além da senha com que entrou.">
        <Switch on={typed.asksForCode} onChange={(asksForCode) => change({ asksForCode })}>
          Pedir o código a partir de um valor
        </Switch>
        {typed.asksForCode ? (
          <MoneyInput
            label="Pedir o código a partir de"
            value={typed.stepUpFrom}
            error={wasSent && typed.stepUpFrom === null ? "Digite um valor" : undefined}
            onChange={(stepUpFrom) => change({ stepUpFrom })}
          />
        ) : null}
      </Part>
      <Part
        title="Operadores"
        help="O que operadores corrigem só é enviado depois que um administrador aprova."
      >
        <Switch on={typed.operators_may_withdraw} onChange={(on) => change({ operators_may_withdraw: on })}>
          Resgatam saldo para a conta da empresa
        </Switch>
        <Switch on={typed.operators_may_correct} onChange={(on) => change({ operators_may_correct: on })}>
          Corrigem pagamentos com falha
        </Switch>
        <Switch on={typed.operators_may_give_back} onChange={(on) => change({ operators_may_give_back: on })}>
          Devolvem pagamentos com falha ao saldo
        </Switch>
      </Part>
      <Part
        title="Espera de segurança"
        help="Quem acabou de entrar, virou administrador ou mudou a autenticação não aprova durante a espera. Depois de trocar a conta para saque, os resgates esperam o mesmo."
      >
        <TextField
          label="Horas de espera"
          inputMode="numeric"
          className={styles.hours ?? ""}
          value={typed.hours}
          error={
            wasSent && readHours(typed.hours) === undefined
              ? `Digite de 0 a ${quarantineHoursMax}`
              : undefined
          }
          onChange={(event) => change({ hours: event.currentTarget.value.replace(/\D/g, "").slice(0, 3) })}
        />
      </Part>
      <div className={styles.save}>
        <p className="small muted">
          {hasOtherAdmin
            ? "Outro administrador precisa aprovar a mudança."
            : "Controles mais rígidos valem na hora; mais frouxos, em 24 horas."}
        </p>
        {may(saveControls, session) ? (
          <Button type="submit" look="primary" busy={save.isPending}>
            Salvar controles
          </Button>
        ) : null}
      </div>
    </form>
  );
}

function Part({ title, help, children }: { title: string; help: string; children: ReactNode }) {
  return (
    <fieldset className={styles.part}>
      <legend className={styles.legend}>{title}</legend>
      <p className="small muted">{help}</p>
      <div className={styles.fields}>{children}</div>
    </fieldset>
  );
}
