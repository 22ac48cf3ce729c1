import type { Transfer } from "@malote/contracts/transfers";
import type { Validation } from "@malote/contracts/validation";
import { microDepositValue } from "@malote/domain/validation";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FailedNotice, FailedQuery } from "../shell/failed-query.tsx";
import { receiverName } from "../transfers/index.ts";
import { formOfTransfer, replacedText, suggestedText } from "../transfers/parts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { counted, formatCount, formatMoney } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { type DraftAccount, lookOf, messagesOf, useDraftValidations } from "../validation/parts.ts";
import styles from "./batch-screen.module.css";
import { countOf, groupTitle, isBoleto, type TransferGroup } from "./group-title.ts";
import { type IssueGroup, issueRowsQuery } from "./open-batch-api.ts";
import { type FixGroupDialogProps, useFix } from "./use-fix-group.ts";

/**
 * A proposed digit may be another person's account, so each is shown with its name, and only ticked ones are accepted.
 */
export function TakeSuggestions(props: FixGroupDialogProps<TransferGroup>) {
  const { batchId, group } = props;
  const fix = useFix(props);
  const rows = useQuery(issueRowsQuery(batchId, group));
  const { data = [], digest = "" } = rows.data ?? {};
  const shown = data.filter((one): one is Transfer => !isBoleto(one));
  const [ticks, setTicks] = useState<{ digest: string; ids: ReadonlySet<string> }>();
  // Payments that changed meanwhile are unticked: their proposals were not reviewed.
  const ticked: ReadonlySet<string> = ticks?.digest === digest ? ticks.ids : new Set();
  const tick = (ids: readonly string[], on: boolean) => {
    const after = new Set(ticked);
    for (const id of ids) on ? after.add(id) : after.delete(id);
    setTicks({ digest, ids: after });
  };
  const validations = useDraftValidations();
  const accounts = validations.isOffered ? shown.flatMap((one) => accountOf(one, group.issue) ?? []) : [];
  const accountById = new Map(accounts.map((account) => [account.id, account]));
  const toValidate = accounts.filter((one) => ticked.has(one.id) && !validations.wasAsked(one));
  const resultOf = (id: string) => {
    const account = accountById.get(id);
    return account && validations.resultOf(account);
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
                <AccountResult result={resultOf(transfer.id)} />
              </li>
            ))}
          </ul>
          {accounts.length > 0 ? (
            <>
              <p className="small muted">
                Antes de aceitar, a ContaCerta pode conferir as contas marcadas por microdepósito: cada uma
                envia {formatMoney(microDepositValue)} do saldo da empresa e mostra se ele chegou, com
                comprovante.
              </p>
              <Button
                size="sm"
                busy={validations.isSending}
                disabled={toValidate.length === 0}
                onClick={() => validations.validate(toValidate)}
              >
                {toValidate.length === 0
                  ? "Validar as contas marcadas"
                  : `Validar ${counted(toValidate.length, "conta", "contas")} por ${formatMoney(toValidate.length * microDepositValue)}`}
              </Button>
              {validations.failed ? (
                <FailedNotice
                  title="Não foi possível ler o resultado da validação"
                  query={validations.failed}
                />
              ) : null}
            </>
          ) : null}
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

const ownIssue = (transfer: Transfer, issue: IssueGroup["issue"]) =>
  transfer.errors.find(({ code, field }) => code === issue.code && field === issue.field);

const accountFields = ["agency", "agency_digit", "account", "account_digit"] as const;

/** Account that a proposal would pay; undefined when the proposal is about something else. */
function accountOf(transfer: Transfer, issue: IssueGroup["issue"]): DraftAccount | undefined {
  const suggestion = ownIssue(transfer, issue)?.suggestion;
  const to = transfer.destination_bank_account;
  if (!suggestion || !to.bank_id || !accountFields.some((field) => field in suggestion)) return undefined;
  const proposed = Object.fromEntries(accountFields.map((field) => [field, suggestion[field] ?? to[field]]));
  const { name, cpf_cnpj, bank_id: bank_ispb } = to;
  const account_type = to.account_type as DraftAccount["data"]["account_type"];
  return { id: transfer.id, data: { name, cpf_cnpj, bank_ispb, account_type, ...proposed } };
}

/** ContaCerta's result for an account, with the reason when it is wrong. */
function AccountResult({ result }: { result: Validation | undefined }) {
  if (!result) return null;
  const { name, color, shape } = lookOf(result);
  const [first] = messagesOf(result.errors);
  return (
    <p className={`small ${styles.result}`} role="status">
      <StatusPill color={color} shape={shape}>
        ContaCerta: {name}
      </StatusPill>{" "}
      {first ? `${first.name}: ${first.message}` : null}
    </p>
  );
}

function SuggestedChange({ transfer, issue }: { transfer: Transfer; issue: IssueGroup["issue"] }) {
  const own = ownIssue(transfer, issue);
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
