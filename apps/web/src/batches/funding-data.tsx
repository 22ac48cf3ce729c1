import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pixKeysQuery, usableKeys } from "../pix-keys/api.ts";
import { AccountChoice, KeyChoice } from "../pix-keys/parts.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { Chip } from "../ui/chip.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { paymentAccountsQuery } from "./api.ts";
import styles from "./funding.module.css";

/** Shows where to send money: a Pix key with its code, or a bank account (SHL-013 to SHL-023). */
export default function FundingData() {
  const keys = useQuery(pixKeysQuery);
  const accounts = useQuery(paymentAccountsQuery);
  const usable = usableKeys(keys.data?.data ?? []);
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
      <div className={styles.way}>
        {shown === "bank" ? (
          accounts.data ? (
            <AccountChoice of={accounts.data.data} />
          ) : (
            <FailedQuery title="Não foi possível carregar as contas" query={accounts} />
          )
        ) : // PIX-007: stale keys are hidden.
        keys.isError ? (
          <FailedQuery title="Não foi possível carregar as chaves Pix" query={keys} />
        ) : (
          <KeyChoice keys={usable} />
        )}
      </div>
    </section>
  );
}
