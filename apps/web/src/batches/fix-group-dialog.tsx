import type { Transfer } from "@malote/contracts/transfers";
import { readAccountType } from "@malote/domain/bank-account";
import { boletoDescriptionLengthMax } from "@malote/domain/limits";
import { cents, formatAmount } from "@malote/domain/money";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type SyntheticEvent, useId, useState } from "react";
import { daysText } from "../boletos/index.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { receiverName } from "../transfers/index.ts";
import {
  emptyForm,
  type FieldName,
  fieldNames,
  formOfTransfer,
  replacedText,
  suggestedText,
  TransferField,
  type TransferForm,
} from "../transfers/parts.ts";
import { Button } from "../ui/button.tsx";
import { DateField } from "../ui/date-field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { counted, formatCount, formatMoney, todayIn } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./batch-screen.module.css";
import {
  type BoletoGroup,
  countOf,
  groupTitle,
  isBoleto,
  isOfBoletos,
  isOfTransfers,
  payeeOf,
  type TransferGroup,
} from "./group-title.ts";
import { type IssueGroup, issueRowsQuery, keyOfGroup, useFixIssueGroup } from "./open-batch-api.ts";
import { failWith } from "./use-batch-desk.ts";

interface FixGroupDialogProps<Group = IssueGroup> {
  batchId: string;
  group: Group;
  onClose: () => void;
}

/** One value for all rows of a group, or each row's own proposed value, reviewed and ticked. */
export default function FixGroupDialog({ group, ...props }: FixGroupDialogProps) {
  if (isOfBoletos(group)) return <OneValueForBoletos {...props} group={group} />;
  if (!isOfTransfers(group)) return null;
  return group.issue.suggestion ? (
    <TakeSuggestions {...props} group={group} />
  ) : (
    <OneValueForAll {...props} group={group} />
  );
}

function useFix({ batchId, group, onClose }: FixGroupDialogProps) {
  const fix = useFixIssueGroup(batchId);
  return {
    isPending: fix.isPending,
    close: () => (fix.isPending ? undefined : onClose()),
    /** `digest`: of the payments as this dialog shows them. */
    send(answer: { set: Record<string, string> } | { ids: string[] }, digest = group.digest) {
      if (fix.isPending) return;
      fix.mutate(
        { ...keyOfGroup(group), ...answer, digest },
        {
          onSuccess: ({ fixed, still_wrong }) => {
            if (fixed > 0)
              toast.good(`${countOf(group, fixed)} ${fixed === 1 ? "corrigido" : "corrigidos"}.`);
            if (still_wrong > 0) {
              toast.info(
                `${countOf(group, still_wrong)} ainda ${still_wrong === 1 ? "tem" : "têm"} outro erro.`,
              );
            }
            onClose();
          },
          onError: failWith("Não foi possível corrigir os pagamentos. Tente de novo."),
        },
      );
    },
  };
}

interface ForAllProps extends FixGroupDialogProps {
  fix: ReturnType<typeof useFix>;
  idPrefix: string;
  onSend: () => void;
  children: ReactNode;
}

/** The frame around one field whose value all rows of the group take. */
function ForAll({ group, onClose, fix, idPrefix, onSend, children }: ForAllProps) {
  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    onSend();
  }
  return (
    <Dialog
      opened
      onClose={fix.close}
      title={`Corrigir ${countOf(group)} iguais`}
      actions={
        <>
          <Button onClick={onClose} disabled={fix.isPending}>
            Cancelar
          </Button>
          <Button look="primary" type="submit" form={`${idPrefix}-fix`} busy={fix.isPending}>
            Corrigir {countOf(group)}
          </Button>
        </>
      }
    >
      <p className="strong">{groupTitle(group)}</p>
      <form id={`${idPrefix}-fix`} noValidate onSubmit={onSubmit}>
        {children}
      </form>
    </Dialog>
  );
}

const missingText = "Escolha o valor que vale para todos";

function OneValueForAll(props: FixGroupDialogProps<TransferGroup>) {
  const { group } = props;
  const idPrefix = useId();
  const fix = useFix(props);
  const field = group.issue.field as FieldName;
  const [form, setForm] = useState<TransferForm>({ ...emptyForm, account_type: "" });
  const [missing, setMissing] = useState(false);

  function send() {
    const written = writtenValue(field, form);
    setMissing(written === null);
    if (written !== null) fix.send({ set: { [field]: written } });
  }
  return (
    <ForAll {...props} fix={fix} idPrefix={idPrefix} onSend={send}>
      {group.receiver ? (
        <p className="muted">Todos para {receiverName(group.example.destination_bank_account)}.</p>
      ) : null}
      <TransferField
        field={field}
        idPrefix={idPrefix}
        form={form}
        change={(patch) => {
          setForm((before) => ({ ...before, ...patch }));
          setMissing(false);
        }}
        label={`${fieldNames[field].replace(" (opcional)", "")} para todos`}
        error={missing ? missingText : undefined}
        autoFocus
      />
      <RowsOfGroup batchId={props.batchId} group={group} />
    </ForAll>
  );
}

/** Who takes the one answer, and what the sheet says of each: one answer for all may be wrong for some of them. */
function RowsOfGroup({ batchId, group }: Pick<FixGroupDialogProps, "batchId" | "group">) {
  const rows = useQuery(issueRowsQuery(batchId, group));
  const { data: shown = [], count = 0 } = rows.data ?? {};
  if (rows.isError) return <FailedQuery title="Não foi possível ler os pagamentos" query={rows} />;
  if (!rows.data) {
    return (
      <LoadingState>
        <Bone height={80} />
      </LoadingState>
    );
  }
  return (
    <>
      <p className="muted">Vale para {countOf(group, count)}:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reachable by keyboard */}
      <section className={styles.suggestions} tabIndex={0} aria-label="Quem muda">
        <ul aria-label="Pagamentos que mudam">
          {shown.map((payment) => {
            const said = isBoleto(payment) ? null : saidBySheet(payment, group);
            return (
              <li key={payment.id} className={styles.change}>
                <span className="strong">{payeeOf(payment)}</span>
                {isBoleto(payment) ? (
                  <span className="small muted">
                    {formatMoney(payment.value ?? 0)} · {daysText(payment)}
                  </span>
                ) : null}
                {said ? <span className="small">Na planilha: {said}</span> : null}
              </li>
            );
          })}
        </ul>
      </section>
      {shown.length < count ? <p className="muted">e mais {formatCount(count - shown.length)}</p> : null}
    </>
  );
}

/** The cell of the field; of a type of account, which was perhaps in a column that was not read, the cell that names one. */
function saidBySheet({ sheet_cells }: Transfer, { issue, given }: IssueGroup): string | null {
  if (given || issue.field !== "account_type") return given;
  const named = Object.entries(sheet_cells ?? {}).find(
    ([, cell]) => cell.length <= accountTypeLengthMax && readAccountType(cell),
  );
  return named ? `${named[0]} ${named[1]}` : null;
}
const accountTypeLengthMax = 40;

function OneValueForBoletos(props: FixGroupDialogProps<BoletoGroup>) {
  const { field } = props.group.issue;
  const idPrefix = useId();
  const fix = useFix(props);
  const [day, setDay] = useState<string | null>(null);
  const [description, setDescription] = useState("");
  const [missing, setMissing] = useState(false);
  const isDay = field === "payment_date";

  function send() {
    const written = isDay ? (day ?? "") : description.trim();
    const isMissing = !isDay && !written;
    setMissing(isMissing);
    if (!isMissing) fix.send({ set: { [field]: written } });
  }
  return (
    <ForAll {...props} fix={fix} idPrefix={idPrefix} onSend={send}>
      {isDay ? (
        <DateField
          data-autofocus
          label="Data do pagamento para todos"
          placeholder="Hoje"
          description={
            day
              ? "De um boleto vencido, vale o que o registro pede nesse dia."
              : "Sem data, o boleto é pago hoje. De um boleto vencido, vale o que o registro pede hoje."
          }
          min={todayIn()}
          value={day}
          onChange={setDay}
        />
      ) : (
        <TextField
          data-autofocus
          label="Descrição para todos"
          autoComplete="off"
          maxLength={boletoDescriptionLengthMax}
          error={missing ? missingText : false}
          value={description}
          onChange={(event) => {
            setDescription(event.currentTarget.value);
            setMissing(false);
          }}
        />
      )}
      <RowsOfGroup batchId={props.batchId} group={props.group} />
    </ForAll>
  );
}

/** A proposed digit may be another person's account: each is shown with its name, and only what was ticked is taken. */
function TakeSuggestions(props: FixGroupDialogProps<TransferGroup>) {
  const { batchId, group } = props;
  const fix = useFix(props);
  const rows = useQuery(issueRowsQuery(batchId, group));
  const { data = [], digest = "" } = rows.data ?? {};
  const shown = data.filter((one): one is Transfer => !isBoleto(one));
  const [ticks, setTicks] = useState<{ digest: string; ids: ReadonlySet<string> }>();
  // Payments that changed since are not ticked: their proposals were not reviewed.
  const ticked: ReadonlySet<string> = ticks?.digest === digest ? ticks.ids : new Set();
  const tick = (ids: readonly string[], on: boolean) => {
    const after = new Set(ticked);
    for (const id of ids) on ? after.add(id) : after.delete(id);
    setTicks({ digest, ids: after });
  };
  return (
    <Dialog
      opened
      onClose={fix.close}
      title={`Corrigir ${countOf(group)} iguais`}
      actions={
        <>
          <Button onClick={props.onClose} disabled={fix.isPending}>
            Cancelar
          </Button>
          <Button
            look="primary"
            busy={fix.isPending}
            disabled={ticked.size === 0}
            onClick={() => fix.send({ ids: [...ticked] }, digest)}
          >
            {ticked.size === 0
              ? "Marque as sugestões"
              : `Aceitar ${counted(ticked.size, "sugestão", "sugestões")}`}
          </Button>
        </>
      }
    >
      <p className="strong">{groupTitle(group)}</p>
      <p className="muted">
        Confira cada sugestão: o dígito certo de outra conta também parece certo. Quem aprova vê quais foram
        aceitas.
      </p>
      {rows.data ? (
        <>
          <label className={styles.tick}>
            <input
              type="checkbox"
              checked={ticked.size === shown.length}
              onChange={(event) =>
                tick(
                  shown.map(({ id }) => id),
                  event.currentTarget.checked,
                )
              }
            />
            Marcar {shown.length === rows.data.count ? "todas" : `as ${formatCount(shown.length)} primeiras`}
          </label>
          <ul className={styles.suggestions}>
            {shown.map((transfer) => (
              <li key={transfer.id}>
                <label className={styles.tick}>
                  <input
                    type="checkbox"
                    checked={ticked.has(transfer.id)}
                    onChange={(event) => tick([transfer.id], event.currentTarget.checked)}
                  />
                  <SuggestedChange transfer={transfer} issue={group.issue} />
                </label>
              </li>
            ))}
          </ul>
        </>
      ) : rows.isError ? (
        <FailedQuery title="Não foi possível ler as sugestões" query={rows} />
      ) : (
        <LoadingState>
          <Bone height={120} />
        </LoadingState>
      )}
    </Dialog>
  );
}

function SuggestedChange({ transfer, issue }: { transfer: Transfer; issue: IssueGroup["issue"] }) {
  const own = transfer.errors.find(({ code, field }) => code === issue.code && field === issue.field);
  const form = formOfTransfer(transfer);
  return (
    <span className={styles.change}>
      <span className="strong">{receiverName(transfer.destination_bank_account)}</span>
      {own?.suggestion ? (
        <span className="num">
          {replacedText(own.suggestion, form)} → <strong>{suggestedText(own.suggestion, form)}</strong>
        </span>
      ) : null}
    </span>
  );
}

/** As the server reads it; null while nothing is chosen. No date means today, and no text clears an optional field. */
function writtenValue(field: FieldName, form: TransferForm): string | null {
  if (field === "value") return form.value === null ? null : formatAmount(cents(form.value));
  const text = form[field] ?? "";
  if (field === "payment_date" || optional.has(field)) return text;
  return text.trim() || null;
}

const optional: ReadonlySet<FieldName> = new Set([
  "email",
  "pix_key_validation",
  "pix_description",
  "integration_id",
]);
