import type { Transfer } from "@malote/contracts/transfers";
import { readAccountType } from "@malote/domain/bank-account";
import { boletoDescriptionLengthMax } from "@malote/domain/limits";
import { cents, formatAmount } from "@malote/domain/money";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type SyntheticEvent, useId, useState } from "react";
import { daysText } from "../boletos/index.ts";
import { dayForAllText } from "../boletos/parts.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { receiverName } from "../transfers/index.ts";
import {
  emptyForm,
  type FieldName,
  fieldNames,
  TransferField,
  type TransferForm,
} from "../transfers/parts.ts";
import { Button } from "../ui/button.tsx";
import { DateField } from "../ui/date-field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatCount, formatMoney, todayIn } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { TextField } from "../ui/text-field.tsx";
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
import { type IssueGroup, issueRowsQuery } from "./open-batch-api.ts";
import { TakeSuggestions } from "./take-suggestions.tsx";
import { type FixGroupDialogProps, useFix } from "./use-fix-group.ts";

/**
 * Corrects all rows of a group by one value, or each row by its own proposed value, which the person reviews and ticks.
 */
export default function FixGroupDialog({ group, ...props }: FixGroupDialogProps) {
  if (isOfBoletos(group)) return <OneValueForBoletos {...props} group={group} />;
  if (!isOfTransfers(group)) return null;
  return group.issue.suggestion ? (
    <TakeSuggestions {...props} group={group} />
  ) : (
    <OneValueForAll {...props} group={group} />
  );
}

interface ForAllProps extends FixGroupDialogProps {
  fix: ReturnType<typeof useFix>;
  idPrefix: string;
  onSend: () => void;
  children: ReactNode;
}

/** Frame around the one field whose value all rows of the group take. */
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

/**
 * Lists the rows that take the answer and what the sheet says of each, because one answer may be wrong for some of
 * them.
 */
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

/** Returns the cell of the field. A missing account type may be named in a column that was not read: then that cell. */
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
          description={dayForAllText(day)}
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

/**
 * The value as the server reads it; null while nothing is chosen. No date means today; no text clears an optional
 * field.
 */
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
