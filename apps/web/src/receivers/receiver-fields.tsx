import { FormSection } from "../payments/parts.ts";
import { pixKeyTypeNames } from "../transfers/index.ts";
import {
  type FieldName,
  pixKeyTypeOptions,
  Suggestion,
  TransferField,
  type TransferForm,
  type TransferFormState,
  wayOptions,
} from "../transfers/parts.ts";
import grid from "../ui/form-grid.module.css";
import { RadioPills } from "../ui/radio-pills.tsx";

interface ReceiverFieldsProps {
  state: TransferFormState;
  idPrefix: string;
  onKeyType: (type: TransferForm["pix_key_type"]) => void;
}

/** The three sections of RCV-009. */
export function ReceiverFields({ state, idPrefix, onKeyType }: ReceiverFieldsProps) {
  const { form, change } = state;
  const isPix = form.way === "pix";
  const optional = isPix ? " (opcional)" : "";

  const field = (name: FieldName, width: "half" | "wide" | "digit" | "whole", label?: string) => (
    <div className={width === "whole" ? "" : grid[width]}>
      <TransferField
        field={name}
        idPrefix={idPrefix}
        form={form}
        change={change}
        error={state.errorOf(name)}
        help={state.warningOf(name)}
        onLeave={state.leave}
        {...(label ? { label } : {})}
      />
      <Suggestion state={state} field={name} />
    </div>
  );
  return (
    <>
      <FormSection title="Dados do recebedor">
        <RadioPills
          legend="Como pagar"
          options={wayOptions}
          value={form.way}
          onChange={(way) => change({ way })}
        />
        {isPix ? (
          <RadioPills
            legend="Tipo de chave"
            options={pixKeyTypeOptions}
            value={form.pix_key_type}
            onChange={onKeyType}
          />
        ) : null}
      </FormSection>
      <FormSection title="Dados pessoais">
        <div className={grid.grid}>
          {field("name", "half", `Nome ou razão social${optional}`)}
          {field("cpf_cnpj", "half", `CPF ou CNPJ${optional}`)}
          {field("email", "half")}
        </div>
      </FormSection>
      <FormSection title="Dados bancários">
        <div className={grid.grid}>
          {isPix ? (
            field("pix_key", "whole", `Chave Pix (${pixKeyTypeNames[form.pix_key_type]})`)
          ) : (
            <>
              {field("bank_id", "half")}
              {field("account_type", "half")}
              {field("agency", "wide")}
              {field("agency_digit", "digit")}
              {field("account", "wide")}
              {field("account_digit", "digit")}
            </>
          )}
        </div>
      </FormSection>
    </>
  );
}
