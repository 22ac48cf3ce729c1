import { createValidation, type Validation } from "@malote/contracts/validation";
import { microDepositValue, validationStatus } from "@malote/domain/validation";
import { IconReceipt } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ReceiptsFailedDialog, receiptFileName, saveReceipt } from "../receipts/index.ts";
import { FailedNotice, FailedQuery } from "../shell/failed-query.tsx";
import { pathOf } from "../shell/routes.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { FocusedHeading } from "../ui/focused-heading.tsx";
import { formatDateTime, formatMoney } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import {
  fetchValidationBankReceipt,
  fetchValidationReceipt,
  useValidation,
  validationBanksQuery,
} from "./api.ts";
import styles from "./validation.module.css";
import { linesOf, listedChecks, lookOf, messagesOf, nameOf } from "./validation-texts.ts";

interface ValidationResultProps {
  id: string;
  /** VAL-023: opens an empty form, or one with the same data. */
  onNew: () => void;
  onAgain: () => void;
}

/** Result of a validation, polled while its deposit is pending (VAL-018 to VAL-023). */
export function ValidationResult({ id, onNew, onAgain }: ValidationResultProps) {
  const session = useSession();
  const { query, hasGivenUp } = useValidation(id);
  if (query.isError && !query.data) {
    return <FailedQuery title="Não foi possível carregar o resultado" query={query} />;
  }
  if (!query.data) {
    return (
      <LoadingState label="Carregando o resultado">
        <Bone height={320} />
      </LoadingState>
    );
  }
  const validation = query.data;
  return (
    <>
      {query.isError ? <FailedNotice title="Não foi possível atualizar o resultado" query={query} /> : null}
      <div role="status">
        <Banner validation={validation} hasGivenUp={hasGivenUp} />
      </div>
      <section className={`panel ${styles.section}`} aria-labelledby="dados-validados">
        <div className={styles.head}>
          <FocusedHeading id="dados-validados">Dados validados</FocusedHeading>
          <ValidationPill validation={validation} />
        </div>
        <Data validation={validation} />
        <div className={styles.actions}>
          {validation.bank_receipt_url ? <ReceiptButton validation={validation} of="bank" /> : null}
          {validation.receipt_url ? <ReceiptButton validation={validation} /> : null}
          {may(createValidation, session) ? (
            <>
              <Button onClick={onAgain}>Refazer validação</Button>
              <Button look="primary" onClick={onNew}>
                Nova validação
              </Button>
            </>
          ) : null}
        </div>
      </section>
    </>
  );
}

export function ValidationPill({ validation }: { validation: Validation }) {
  const { name, color, shape } = lookOf(validation);
  return (
    <StatusPill color={color} shape={shape}>
      {name}
    </StatusPill>
  );
}

function Banner({ validation, hasGivenUp }: { validation: Validation; hasGivenUp: boolean }) {
  switch (validationStatus(validation)) {
    case "VALID":
      return (
        <Notice tone="green" title="Os dados bancários informados estão corretos.">
          {validation.type === "MICRO_DEPOSIT" ? (
            <p>{`O depósito de ${formatMoney(microDepositValue)} foi feito e o comprovante está disponível.`}</p>
          ) : null}
          <Scope validation={validation} />
        </Notice>
      );
    case "INVALID":
      return (
        <Notice tone="red" title="Os dados bancários informados estão incorretos.">
          <ul className={styles.errors}>
            {messagesOf(validation.errors).map(({ field, name, message, suggestion }) => (
              <li key={field}>
                <span>
                  <strong>{name}:</strong> {message}
                </span>
                {suggestion ? <span>{suggestion}</span> : null}
              </li>
            ))}
          </ul>
        </Notice>
      );
    case "VALIDATING":
      // VAL-019: the polling ended without a result.
      return hasGivenUp ? (
        <Notice tone="yellow" title="A validação vai levar mais tempo que o esperado.">
          O resultado aparecerá no <Link to={pathOf("ValidationHistoryPage")}>histórico de validações</Link>.
          Enquanto isso, você pode fazer outra validação.
        </Notice>
      ) : (
        <Notice tone="blue" title="Validando os dados…">
          O microdepósito foi enviado. O resultado costuma chegar em segundos.
        </Notice>
      );
  }
}

/** Lists what the answer covers, because "corretos" refers to the checked fields only. */
function Scope({ validation: { type, checked, not_checked: notChecked } }: { validation: Validation }) {
  return (
    <>
      <p>
        <strong>Conferido:</strong> {listedChecks(checked)}.
      </p>
      {notChecked.length > 0 ? (
        <p>
          <strong>Não conferido:</strong> {listedChecks(notChecked)}.
          {type === "BASIC" && notChecked.includes("account_exists")
            ? " Para conferir a conta e o titular, faça um microdepósito."
            : null}
        </p>
      ) : null}
    </>
  );
}

function Data({ validation }: { validation: Validation }) {
  const banks = useQuery({
    ...validationBanksQuery(validation.type),
    enabled: validation.bank_ispb !== null,
  });
  const bank = banks.data?.data.find(({ ispb }) => ispb === validation.bank_ispb);
  const bankText = bank && [bank.code, bank.name].filter(Boolean).join(" · ");
  const made = [
    { label: "Pedida em", text: formatDateTime(validation.created_at) },
    ...(validation.validated_at
      ? [{ label: "Respondida em", text: formatDateTime(validation.validated_at) }]
      : []),
  ];
  return (
    <dl className={styles.list}>
      {[...linesOf(validation, bankText), ...made].map(({ label, text }) => (
        <div key={label} className={styles.line}>
          <dt className="muted">{label}</dt>
          <dd className="num">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ReceiptButtonProps {
  validation: Validation;
  size?: "sm";
  /** Malote's receipt, or the document of the bank that carried the deposit. */
  of?: "us" | "bank";
}

/** Creates the receipt of the micro deposit on demand and saves it. */
export function ReceiptButton({ validation, size, of = "us" }: ReceiptButtonProps) {
  const isOfBank = of === "bank";
  const download = useMutation({
    mutationFn: () => (isOfBank ? fetchValidationBankReceipt : fetchValidationReceipt)(validation.id),
    onSuccess: (pdf) =>
      saveReceipt(
        pdf,
        receiptFileName(isOfBank ? "comprovante-do-banco" : "comprovante", nameOf(validation), "pdf"),
      ),
  });
  return (
    <>
      <Button
        {...(size && { size })}
        icon={<IconReceipt aria-hidden />}
        busy={download.isPending}
        aria-label={size ? `Baixar comprovante de ${nameOf(validation)}` : undefined}
        onClick={() => download.mutate()}
      >
        {isOfBank ? "Comprovante do banco" : size ? "Baixar" : "Baixar comprovante"}
      </Button>
      {download.isError ? <ReceiptsFailedDialog error={download.error} onClose={download.reset} /> : null}
    </>
  );
}
