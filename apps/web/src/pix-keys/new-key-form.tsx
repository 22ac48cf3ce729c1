import { needsCode, type OwnPixKeyType, ownPixKeyTypes } from "@malote/domain/own-pix-key";
import { normalisePixKey, pixKeyProblem } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import { type FormEvent, useId, useState } from "react";
import { useKeyOfRequest } from "../shell/key-of-request.ts";
import { useSession } from "../shell/session.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { pixKeyTypeNames } from "../transfers/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useDiscardQuestion } from "../ui/discard-question.tsx";
import { TextField } from "../ui/text-field.tsx";
import { useCreateKey } from "./api.ts";
import { PhoneField } from "./phone-field.tsx";
import styles from "./pix-keys.module.css";

/** PIX-020: shape and note of a random key. */
const randomShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
const codeNote = "Enviaremos um código de verificação para confirmar a chave.";
const problems = { TELEFONE: "Número de celular inválido", EMAIL: "E-mail inválido" } as const;

interface NewKeyFormProps {
  onClose: () => void;
  onCreated: (id: string) => void;
}

/** Form of a new key (PIX-017 to PIX-024). */
export function NewKeyForm({ onClose, onCreated }: NewKeyFormProps) {
  const formId = useId();
  const session = useSession();
  const create = useCreateKey();
  // The same id after a lost answer neither adds a second key nor replaces another one.
  const idOf = useKeyOfRequest();
  const [type, setType] = useState<OwnPixKeyType>("TELEFONE");
  const [typed, setTyped] = useState({ TELEFONE: "", EMAIL: "" });
  const [wasSent, setWasSent] = useState(false);
  const dirty = (typed.TELEFONE !== "" || typed.EMAIL !== "") && !create.isSuccess;
  useUnsavedWork(dirty);
  const { askBefore, question } = useDiscardQuestion(dirty, "A chave Pix ainda não foi adicionada.");
  const leave = () => (create.isPending ? undefined : askBefore(onClose));

  const isTyped = type === "TELEFONE" || type === "EMAIL";
  const problem = isTyped && pixKeyProblem(type, typed[type]) ? problems[type] : undefined;
  const shownProblem = wasSent ? problem : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    setWasSent(true);
    if (problem) return;
    const key = isTyped ? normalisePixKey({ type, key: typed[type] }).key : session?.company.cpfCnpj;
    const body = { key_type: type, ...(type !== "CHAVE_ALEATORIA" && key && { key }) };
    create.mutate({ id: idOf(body), ...body }, (made) => onCreated(made.id));
  }
  return (
    <Dialog
      opened
      size="lg"
      title="Adicionar chave Pix"
      onClose={leave}
      actions={
        <>
          <Button onClick={leave} disabled={create.isPending}>
            Cancelar
          </Button>
          <Button look="primary" type="submit" form={formId} busy={create.isPending}>
            Próximo
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.view} noValidate onSubmit={submit}>
        <fieldset className={styles.types}>
          <legend>Qual chave você quer cadastrar?</legend>
          {ownPixKeyTypes.map((one) => (
            <label key={one} className={styles.type}>
              <input
                type="radio"
                name="key_type"
                checked={one === type}
                onChange={() => {
                  setType(one);
                  setWasSent(false);
                }}
              />
              {pixKeyTypeNames[one]}
            </label>
          ))}
        </fieldset>
        {type === "TELEFONE" ? (
          <PhoneField
            label="Celular"
            description={codeNote}
            value={typed.TELEFONE}
            error={shownProblem}
            onChange={(text) => setTyped({ ...typed, TELEFONE: text })}
          />
        ) : null}
        {type === "EMAIL" ? (
          <TextField
            label="E-mail"
            type="email"
            autoComplete="off"
            maxLength={77}
            description={needsCode(type) ? codeNote : undefined}
            value={typed.EMAIL}
            error={shownProblem}
            onChange={(event) => setTyped({ ...typed, EMAIL: event.currentTarget.value })}
          />
        ) : null}
        {type === "CNPJ" ? (
          <TextField
            label="CNPJ"
            readOnly
            value={formatTaxId(session?.company.cpfCnpj ?? "")}
            description="Só é possível cadastrar o CNPJ da própria empresa."
          />
        ) : null}
        {type === "CHAVE_ALEATORIA" ? (
          <TextField
            label="Chave aleatória"
            readOnly
            value=""
            placeholder={randomShape}
            description="Uma chave aleatória será gerada."
          />
        ) : null}
      </form>
      {question}
    </Dialog>
  );
}
