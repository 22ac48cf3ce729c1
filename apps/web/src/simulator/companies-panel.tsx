import { formatTaxId } from "@malote/domain/tax-id";
import { type FormEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { MoneyInput } from "../ui/money-input.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { type SimulatorState, useDeposit } from "./api.ts";
import { Panel } from "./panel.tsx";
import styles from "./simulator.module.css";

type Company = SimulatorState["companies"][number];

export function CompaniesPanel({ companies }: { companies: SimulatorState["companies"] }) {
  const [receiver, setReceiver] = useState<Company>();
  return (
    <Panel id="empresas" title="Empresas" help="Um Pix de fora é o jeito de colocar saldo em uma empresa.">
      <ul className={styles.companies}>
        {companies.map((company) => (
          <li key={company.id}>
            <div className={styles.who}>
              <strong>{company.name}</strong>
              <span className="small muted num">{formatTaxId(company.cpf_cnpj)}</span>
              <span className={`small muted ${styles.key}`}>
                {company.pix_key ? (
                  <>
                    Chave Pix: {company.pix_key}
                    <CopyButton text={company.pix_key} label={`Copiar chave Pix de ${company.name}`} />
                  </>
                ) : (
                  "Sem chave Pix registrada"
                )}
              </span>
            </div>
            <dl className={styles.amounts}>
              <div>
                <dt className="small muted">Saldo</dt>
                <dd>
                  <MoneyText cents={company.balance} className="strong" />
                </dd>
              </div>
              <div>
                <dt className="small muted">Aguardando</dt>
                <dd>
                  <MoneyText cents={company.waiting_value} />
                </dd>
              </div>
            </dl>
            <Button
              look="primary"
              size="sm"
              disabled={company.pix_key === ""}
              onClick={() => setReceiver(company)}
            >
              Enviar Pix
            </Button>
          </li>
        ))}
      </ul>
      {receiver ? <DepositDialog company={receiver} onClose={() => setReceiver(undefined)} /> : null}
    </Panel>
  );
}

function DepositDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  const [value, setValue] = useState<number | null>(company.waiting_value || 1_000_000);
  const [payer, setPayer] = useState("");
  const [message, setMessage] = useState("");
  const [problem, setProblem] = useState<string>();
  const deposit = useDeposit();

  function submit(event: FormEvent) {
    event.preventDefault();
    if (deposit.isPending) return;
    if (!value) {
      setProblem("Digite um valor");
      return;
    }
    deposit.mutate(
      {
        pix_key: company.pix_key,
        value,
        ...(payer.trim() && { payer_name: payer.trim() }),
        ...(message.trim() && { message: message.trim() }),
      },
      {
        onSuccess: () => {
          toast.good(`Pix de ${formatMoney(value)} enviado para ${company.name}.`);
          onClose();
        },
      },
    );
  }
  return (
    <Dialog opened onClose={onClose} title={`Enviar Pix para ${company.name}`}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <MoneyInput
          label="Valor"
          data-autofocus
          value={value}
          error={problem}
          onChange={(cents) => {
            setValue(cents);
            setProblem(undefined);
          }}
        />
        <TextField
          label="Quem paga"
          description="Em branco, um pagador inventado."
          maxLength={120}
          value={payer}
          onChange={(event) => setPayer(event.currentTarget.value)}
        />
        <TextField
          label="Mensagem"
          maxLength={140}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <div className={styles.end}>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" look="primary" busy={deposit.isPending}>
            Enviar Pix
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
