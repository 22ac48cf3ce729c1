import { type CompanyData, uploadLogo } from "@malote/contracts/company";
import { errorText } from "@malote/contracts/errors";
import { formatPhone, parsePhone } from "@malote/domain/phone";
import { formatTaxId } from "@malote/domain/tax-id";
import { type FormEvent, useState } from "react";
import { CallError, errorSentence } from "../shell/call.ts";
import { isInValidation, may, useSession } from "../shell/session.ts";
import { SupportLink } from "../shell/support-link.tsx";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { Button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import {
  AddressFields,
  type AddressForm,
  addressFormOf,
  addressIn,
  addressProblem,
} from "./address-fields.tsx";
import { useSaveCompany } from "./api.ts";
import styles from "./company.module.css";
import { LogoField } from "./logo-field.tsx";

const shown = (phone: string | null) => (phone ? formatPhone(phone) : "");

/** Returns the field that a refusal concerns, if any. */
function fieldOf(error: unknown): "telefone" | "logo" | undefined {
  if (!(error instanceof CallError)) return undefined;
  if (error.errorCode?.startsWith("logo_")) return "logo";
  return error.errorCode === "company_phone_invalid" ? "telefone" : undefined;
}

/** COM-005: name and CNPJ come from the contract; the company chooses phone and logo. */
export function CompanyDataForm({ company }: { company: CompanyData }) {
  const session = useSession();
  /** Undefined until the person types, so that a change from elsewhere shows. */
  const [typed, setTyped] = useState<string>();
  const phone = typed ?? shown(company.phone);
  const [typedAddress, setTypedAddress] = useState<AddressForm>();
  const address = typedAddress ?? addressFormOf(company.address);
  const [logo, setLogo] = useState<File>();
  const [attempt, setAttempt] = useState(0);
  const [refusal, setRefusal] = useState<{ field: "telefone" | "logo"; text: string }>();
  const save = useSaveCompany();
  const hasAddress = !isInValidation();
  useUnsavedWork(phone !== shown(company.phone) || logo !== undefined || typedAddress !== undefined);

  const isWrong = phone.trim() !== "" && !parsePhone(phone);
  const phoneProblem =
    attempt > 0 && isWrong
      ? errorText("company_phone_invalid")
      : refusal?.field === "telefone"
        ? refusal.text
        : undefined;
  const unfinished = hasAddress ? addressProblem(address) : undefined;
  const shownUnfinished = attempt > 0 ? unfinished : undefined;
  const logoProblem = refusal?.field === "logo" ? refusal.text : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (save.isPending) return;
    setAttempt(attempt + 1);
    // The person chose a file that was refused here: they choose another one, or none, before the form is
    // sent.
    if (isWrong || unfinished || (logoProblem && !logo)) return;
    setRefusal(undefined);
    save.mutate(
      { phone, logo, ...(typedAddress && { address: addressIn(typedAddress) }) },
      {
        onSuccess: () => {
          setTyped(undefined);
          setTypedAddress(undefined);
          setLogo(undefined);
          setAttempt(0);
          // COM-011: message after saving.
          toast.good("Dados salvos com sucesso");
        },
        onError: (error) => {
          const text = errorSentence(error, "Não foi possível salvar os dados. Tente de novo.");
          const field = fieldOf(error);
          if (text && field) setRefusal({ field, text });
          else if (text) toast.bad(text);
          if (field) setAttempt((before) => before + 1);
        },
      },
    );
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <ErrorSummary
        attempt={attempt}
        problems={[
          ...(phoneProblem ? [{ fieldId: "telefone", message: phoneProblem }] : []),
          ...(shownUnfinished ? [{ fieldId: "cep", message: shownUnfinished }] : []),
          ...(logoProblem ? [{ fieldId: "logo", message: logoProblem }] : []),
        ]}
      />
      <section className={`panel ${styles.section}`} aria-labelledby="sobre-a-empresa">
        <div className={styles.intro}>
          <h2 id="sobre-a-empresa">Sobre a empresa</h2>
          <p className="muted">
            O nome e o CNPJ são os do contrato. Para mudá-los, <SupportLink>fale com o suporte</SupportLink>.
          </p>
        </div>
        <div className={styles.fields}>
          <TextField label="Nome" value={company.name} readOnly />
          <TextField label="CNPJ" value={formatTaxId(company.cpfCnpj)} readOnly />
          <TextField
            id="telefone"
            name="phone"
            label="Telefone"
            type="tel"
            inputMode="tel"
            autoComplete="tel-national"
            maxLength={30}
            placeholder="(11) 98765-4321"
            value={phone}
            error={phoneProblem}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setRefusal(undefined);
            }}
            onBlur={() => setTyped(typed && (shown(parsePhone(typed) ?? null) || typed))}
          />
        </div>
      </section>
      {hasAddress ? (
        <section className={`panel ${styles.section}`} aria-labelledby="endereco">
          <div className={styles.intro}>
            <h2 id="endereco">Endereço</h2>
            <p className="muted">
              Aparece nos boletos que sua empresa gera; a cidade, também nos códigos Pix.
            </p>
          </div>
          <div className={styles.fields}>
            <AddressFields
              form={address}
              problem={shownUnfinished}
              onChange={(changed) => setTypedAddress({ ...address, ...changed })}
            />
          </div>
        </section>
      ) : null}
      {company.logo || may(uploadLogo, session) ? (
        <section className={`panel ${styles.section}`} aria-labelledby="titulo-da-logo">
          <div className={styles.intro}>
            <h2 id="titulo-da-logo">Logo</h2>
            <p className="muted">PNG ou JPEG de até 1 MB, com ao menos 48 pixels de altura.</p>
          </div>
          <LogoField
            path={company.logo}
            chosen={logo}
            mayChoose={may(uploadLogo, session)}
            problem={logoProblem}
            onChoose={(file, problem) => {
              setLogo(problem ? undefined : file);
              setRefusal(problem ? { field: "logo", text: problem } : undefined);
            }}
            onUndo={() => {
              setLogo(undefined);
              setRefusal(undefined);
            }}
          />
        </section>
      ) : null}
      <div className={styles.actions}>
        <Button type="submit" look="primary" busy={save.isPending}>
          Salvar
        </Button>
      </div>
    </form>
  );
}
