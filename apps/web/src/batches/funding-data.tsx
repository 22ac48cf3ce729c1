import type { listPaymentAccounts, listPixKeys } from "@malote/contracts/company";
import type { ResponseOf } from "@malote/contracts/contract";
import { accountTypeNames } from "@malote/domain/bank-account";
import { accountInFundingTextMax, pixKeyInFundingTextMax, pixKeysInFundingMax } from "@malote/domain/limits";
import { formatPixKey, type PixKeyType } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { pixKeyTypeNames } from "../transfers/index.ts";
import { Chip } from "../ui/chip.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { cutText } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Select } from "../ui/select.tsx";
import { paymentAccountsQuery } from "./api.ts";
import styles from "./funding.module.css";
import { pixKeysQuery } from "./open-batch-api.ts";

const QrCode = lazy(() => import("./qr-code.tsx"));

type Key = ResponseOf<typeof listPixKeys>["data"][number];
type Account = ResponseOf<typeof listPaymentAccounts>["data"][number];

const keyTypeName = (type: string) => (type in pixKeyTypeNames ? pixKeyTypeNames[type as PixKeyType] : type);

const registered = "REGISTERED";
/** SHL-016. */
const copied = "Código copiado e pronto para uso!";

/** Where to send money: by Pix key with its code, or to a bank account (SHL-013 to SHL-023). */
export default function FundingData() {
  const keys = useQuery(pixKeysQuery);
  const accounts = useQuery(paymentAccountsQuery);
  const usable = (keys.data?.data ?? [])
    .filter(({ status }) => status === registered)
    .slice(0, pixKeysInFundingMax);
  const banks = (accounts.data?.data ?? []).filter(({ isPix }) => !isPix);
  const [way, setWay] = useState<"pix" | "bank" | null>(null);
  const shown = way ?? (usable.length > 0 ? "pix" : "bank");
  if (keys.isPending || accounts.isPending) {
    return (
      <LoadingState label="Carregando as formas de envio">
        <Bone height={260} />
      </LoadingState>
    );
  }
  if (keys.isError && accounts.isError) {
    return (
      <ErrorState
        title="Não foi possível carregar as formas de envio"
        onRetry={() => {
          void keys.refetch();
          void accounts.refetch();
        }}
        busy={keys.isFetching}
      />
    );
  }
  return (
    <section className={`panel ${styles.box}`} aria-label="Como enviar o saldo">
      <div className={styles.tabs}>
        <Chip on={shown === "pix"} onClick={() => setWay("pix")}>
          Pix
        </Chip>
        <Chip on={shown === "bank"} onClick={() => setWay("bank")}>
          Conta bancária
        </Chip>
      </div>
      {shown === "pix" ? <PixKeys keys={usable} /> : <BankAccounts accounts={banks} />}
    </section>
  );
}

function PixKeys({ keys }: { keys: readonly Key[] }) {
  const [chosenId, setChosenId] = useState(keys[0]?.id);
  const chosen = keys.find(({ id }) => id === chosenId) ?? keys[0];
  if (!chosen) {
    return (
      <p style={{ padding: 16 }} className="muted">
        Adicione uma chave Pix para operar seus recursos com mais eficiência!
      </p>
    );
  }
  const code = chosen.pix_qrcode_emv_payload;
  return (
    <div className={styles.pix}>
      <fieldset className={styles.keys}>
        <legend>Escolha a chave Pix que vai receber</legend>
        {keys.map((key) => (
          <div key={key.id} className={styles.key}>
            <label>
              <input
                type="radio"
                name="funding-key"
                checked={key.id === chosen.id}
                onChange={() => setChosenId(key.id)}
              />
              <span className={styles.words}>
                <span className="cut num" title={formatPixKey(key.key_type, key.key)}>
                  {cutText(formatPixKey(key.key_type, key.key), pixKeyInFundingTextMax)}
                </span>
                <span className="small faint">{keyTypeName(key.key_type)}</span>
              </span>
            </label>
            <CopyButton
              text={key.pix_qrcode_emv_payload ?? key.key}
              label={`Copiar o código Pix da chave ${formatPixKey(key.key_type, key.key)}`}
              done={copied}
            />
          </div>
        ))}
        <span className="small muted">Copie o código e cole em “Pix copia e cola” no seu banco.</span>
      </fieldset>
      <div className={styles.qr}>
        <div className={styles.code}>
          {code ? (
            <Suspense fallback={<Bone width={176} height={176} />}>
              <QrCode code={code} title="Código QR do Pix" />
            </Suspense>
          ) : (
            <span className="small">Código QR indisponível para esta chave</span>
          )}
        </div>
        <span className="small muted">Ou leia com o aplicativo do seu banco</span>
      </div>
    </div>
  );
}

const withDigit = (number: string, digit: string) => (digit ? `${number}-${digit}` : number);

function BankAccounts({ accounts }: { accounts: readonly Account[] }) {
  const [chosenId, setChosenId] = useState(accounts[0]?.id ?? null);
  const chosen = accounts.find(({ id }) => id === chosenId) ?? accounts[0];
  if (!chosen) {
    return (
      <p style={{ padding: 16 }} className="muted">
        Nenhuma conta disponível para envio. Fale com o suporte.
      </p>
    );
  }
  const type = accountTypeNames[chosen.account_type as keyof typeof accountTypeNames] ?? "Conta";
  const account = withDigit(chosen.account, chosen.account_digit);
  return (
    <div className={styles.account}>
      <Select
        label="Para qual conta você deseja enviar o saldo?"
        data={accounts.map((one) => ({
          value: one.id,
          label: cutText(
            `${one.Bank.code ?? ""} ${one.Bank.name} · Ag. ${one.agency} · Conta ${withDigit(one.account, one.account_digit)}`.trim(),
            accountInFundingTextMax,
          ),
        }))}
        value={chosen.id}
        onChange={setChosenId}
      />
      <dl className={styles.lines}>
        <Line label="Banco" text={[chosen.Bank.code, chosen.Bank.name].filter(Boolean).join(" · ")} />
        <Line label="Tipo de conta" text={type} />
        <Line label="Agência" text={chosen.agency} copies />
        <Line label="Conta" text={account} copies />
        <Line label="Nome" text={chosen.name} copies />
        <Line label="CNPJ" text={formatTaxId(chosen.cpfCnpj)} copies />
      </dl>
    </div>
  );
}

function Line({ label, text, copies = false }: { label: string; text: string; copies?: boolean }) {
  return (
    <div className={styles.line}>
      <div style={{ minWidth: 0 }}>
        <dt className="small faint">{label}</dt>
        <dd className="num" style={{ whiteSpace: "normal" }}>
          {text}
        </dd>
      </div>
      {copies ? <CopyButton text={text} label={`Copiar ${label}`} /> : null}
    </div>
  );
}
