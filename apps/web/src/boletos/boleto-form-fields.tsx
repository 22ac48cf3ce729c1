import { readDuplicatedBoletoIntegrationId } from "@malote/contracts/boletos";
import { boletoDescriptionLengthMax, integrationIdMax } from "@malote/domain/limits";
import { IconBolt, IconBuildingBank } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { KeyboardEvent } from "react";
import { FormSection } from "../payments/parts.ts";
import { companySettingsQuery } from "../shell/balance.ts";
import { call } from "../shell/call.ts";
import { pathOf } from "../shell/routes.ts";
import { DateField } from "../ui/date-field.tsx";
import { formatMoney, todayIn } from "../ui/format.ts";
import { MoneyInput } from "../ui/money-input.tsx";
import { TextField } from "../ui/text-field.tsx";
import { BoletoCodeField } from "./boleto-code-field.tsx";
import type { FieldName } from "./boleto-form.ts";
import { dueText, issuerText } from "./boleto-text.ts";
import styles from "./boleto-wizard.module.css";
import { withoutDateText } from "./pay-day-text.ts";
import { bankByCodeQuery } from "./register-api.ts";
import { RegisterNotice } from "./register-notice.tsx";
import type { BoletoFormState } from "./use-boleto-form.ts";

export const fieldNames: Readonly<Record<FieldName, string>> = {
  barcode: "Linha digitável ou código de barras",
  value: "Valor",
  payment_date: "Data do pagamento",
  description: "Descrição",
  integration_id: "ID de integração",
};

export const fieldId = (prefix: string, field: FieldName) => `${prefix}-${field}`;

interface FieldsProps {
  state: BoletoFormState;
  idPrefix: string;
  batchId: string;
  billetId: string;
  /** True for a failed boleto, whose reserved amount must not change. */
  valueIsFixed: boolean;
}

/** Form of one boleto (BIL-007, BIL-008). */
export function BoletoFormFields({ state, idPrefix, batchId, billetId, valueIsFixed }: FieldsProps) {
  const settings = useQuery(companySettingsQuery);
  const { form, change, code } = state;
  // BIL-016: editable only when neither the code nor the register has a value.
  const valueIsOpen = !valueIsFixed && code !== undefined && code.value === null && !state.check.isPriced;
  const shared = (field: FieldName) => ({
    id: fieldId(idPrefix, field),
    error: state.errorOf(field) ?? false,
    onBlur: () => state.leave(field),
  });

  /** A scanner ends with Enter: the focus moves to the next missing field, and the form is not sent. */
  function onCodeKey(event: KeyboardEvent) {
    if (event.key !== "Enter" || form.description.trim()) return;
    event.preventDefault();
    document.getElementById(fieldId(idPrefix, "description"))?.focus();
  }

  /** BIL-009: a duplicate integration id warns and does not block. */
  async function lookForDuplicateId() {
    const id = form.integration_id.trim();
    if (!id) return;
    const input = { params: { id }, query: { except: billetId } };
    const { isDuplicated } = await call(readDuplicatedBoletoIntegrationId, input).catch(() => ({
      isDuplicated: false,
    }));
    if (isDuplicated) state.addWarning({ code: "integration_id_duplicated", field: "integration_id" });
  }

  return (
    <>
      <FormSection title="Qual é o boleto que você deseja pagar?">
        <BoletoCodeField
          {...shared("barcode")}
          data-autofocus
          label={fieldNames.barcode}
          placeholder="Digite, cole ou leia com um leitor de código de barras"
          value={form.barcode}
          onChange={state.typeCode}
          onKeyDown={onCodeKey}
        />
        {state.usedIn ? <UsedIn batch={state.usedIn} isThis={state.usedIn.id === batchId} /> : null}
        <Issuer state={state} />
        <RegisterNotice barcode={code?.barcode} paymentDate={form.payment_date} value={code?.value ?? null} />
      </FormSection>
      <FormSection title="Dados do boleto a ser pago">
        <div className={styles.fields}>
          <MoneyInput
            {...shared("value")}
            label={fieldNames.value}
            description={valueHelp(state, valueIsOpen, valueIsFixed)}
            readOnly={!valueIsOpen}
            value={valueIsFixed ? form.value : state.valueToPay}
            onChange={(value) => change({ value })}
          />
          <TextField label="Vencimento" readOnly className="num" value={dueText(code?.dueDate ?? null)} />
          <DateField
            {...shared("payment_date")}
            label={fieldNames.payment_date}
            placeholder="Hoje"
            description={
              state.warningOf("payment_date") ??
              (form.payment_date ? undefined : withoutDateText(state.check.draft))
            }
            min={todayIn()}
            {...(state.lastPayDay ? { max: state.lastPayDay } : {})}
            value={form.payment_date}
            onChange={(payment_date) => change({ payment_date })}
          />
        </div>
      </FormSection>
      <FormSection title="Descrição do boleto">
        <TextField
          {...shared("description")}
          label={fieldNames.description}
          placeholder="Por exemplo: aluguel de novembro"
          autoComplete="off"
          maxLength={boletoDescriptionLengthMax}
          value={form.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
      </FormSection>
      {settings.data?.hasIntegrationId ? (
        <FormSection title="Qual o ID de integração?">
          <TextField
            {...shared("integration_id")}
            label={`${fieldNames.integration_id} (opcional)`}
            description={state.warningOf("integration_id")}
            autoComplete="off"
            spellCheck={false}
            maxLength={integrationIdMax}
            value={form.integration_id}
            onChange={(event) => change({ integration_id: event.currentTarget.value })}
            onBlur={() => {
              state.leave("integration_id");
              void lookForDuplicateId();
            }}
          />
        </FormSection>
      ) : null}
    </>
  );
}

function valueHelp({ code, maxCents, valueToPay }: BoletoFormState, isOpen: boolean, isFixed: boolean) {
  if (isFixed) return "O valor já está reservado no lote e não muda.";
  if (isOpen) return `Este boleto não traz valor: informe quanto pagar, até ${formatMoney(maxCents)}.`;
  if (code && valueToPay !== code.value) {
    const ofCode = code.value === null ? "não traz valor" : `traz ${formatMoney(code.value)}`;
    return `É o que o registro do boleto pede no dia do pagamento. O código ${ofCode}.`;
  }
  return code ? "O valor vem do código do boleto." : "O valor vem do código, ou você o informa depois dele.";
}

/** BIL-013: links to the batch of the duplicate, where it can be read or removed. */
function UsedIn({ batch, isThis }: { batch: { id: string; name: string }; isThis: boolean }) {
  return (
    <p className="small" role="status">
      {isThis ? (
        "O outro está neste mesmo lote."
      ) : (
        <>
          Está no lote{" "}
          <Link to={pathOf("BatchesPage")} search={{ lote: batch.id }}>
            {batch.name}
          </Link>
          .
        </>
      )}
    </p>
  );
}

/** BIL-019: names the bank or the kind of the code. */
function Issuer({ state: { code } }: { state: BoletoFormState }) {
  const { data: bank } = useQuery(bankByCodeQuery(code?.kind === "SIMPLE" ? code.bankCode : null));
  const name = code && (issuerText({ type: code.kind, bank: bank ?? null }) ?? `Banco ${code.bankCode}`);
  const Icon = code?.kind === "COLLECTION" ? IconBolt : IconBuildingBank;
  return (
    <div role="status" className={styles.issuer}>
      {name ? (
        <>
          <Icon size={18} aria-hidden />
          <span className="strong">{name}</span>
        </>
      ) : null}
    </div>
  );
}
