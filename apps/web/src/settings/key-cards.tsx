import { createPixKey } from "@malote/contracts/pix-keys";
import { pixKeysMax } from "@malote/domain/limits";
import { countsAsRegistered } from "@malote/domain/own-pix-key";
import { IconAlertTriangle, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lookAgainMs, type PixKey, pixKeysQuery } from "../pix-keys/api.ts";
import { KeyPill, keyText } from "../pix-keys/parts.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { may, useSession } from "../shell/session.ts";
import { pixKeyTypeNames } from "../transfers/index.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import styles from "./settings.module.css";
import { Section } from "./settings-frame.tsx";

/** Time until the next read of one of these keys. */
function soonestLook(keys: readonly PixKey[]): number | false {
  const times = keys.flatMap(({ status }) => lookAgainMs(status) || []);
  return times.length > 0 && Math.min(...times);
}

/** SET-005: false until the keys are read. */
export function useMayAddKey(): boolean {
  const session = useSession();
  const { data } = useQuery(pixKeysQuery);
  return data !== undefined && data.data.length < pixKeysMax && may(createPixKey, session);
}

/** Cards of SET-002 to SET-005. */
export function KeyCards({ onOpen }: { onOpen: (id: string) => void }) {
  return (
    <Section
      id="chaves"
      title="Suas chaves Pix cadastradas"
      help="Quem paga a sua empresa por uma destas chaves coloca o dinheiro direto no saldo."
    >
      <Cards onOpen={onOpen} />
    </Section>
  );
}

function Cards({ onOpen }: { onOpen: (id: string) => void }) {
  const mayAdd = useMayAddKey();
  const keys = useQuery({
    ...pixKeysQuery,
    // An error stops the polling (SES-070).
    refetchInterval: ({ state }) =>
      state.status !== "error" && state.data ? soonestLook(state.data.data) : false,
  });
  if (keys.isPending) {
    return (
      <LoadingState label="Carregando as chaves Pix">
        <Bone height={116} />
      </LoadingState>
    );
  }
  // PIX-007: stale keys are hidden.
  if (keys.isError) {
    return <FailedQuery title="Não foi possível carregar as chaves Pix" query={keys} />;
  }
  const list = keys.data.data;
  return (
    <ul className={styles.keys}>
      {list.map((key) => (
        <li key={key.id}>
          <KeyCard pixKey={key} onOpen={() => onOpen(key.id)} />
        </li>
      ))}
      {mayAdd ? (
        <li>
          <button type="button" className={`${styles.key} ${styles.add}`} onClick={() => onOpen("nova")}>
            <IconPlus size={22} aria-hidden />
            Adicionar chave Pix
          </button>
        </li>
      ) : null}
    </ul>
  );
}

function KeyCard({ pixKey, onOpen }: { pixKey: PixKey; onOpen: () => void }) {
  const isRegistered = countsAsRegistered(pixKey.status);
  return (
    <button
      type="button"
      className={styles.key}
      disabled={pixKey.status === "PENDING_REMOVAL"}
      onClick={onOpen}
    >
      <span className={styles.name}>
        <span className="small faint">{pixKeyTypeNames[pixKey.key_type]}</span>
        <strong className="num" title={keyText(pixKey)}>
          {pixKey.key === null ? "Gerando a chave…" : keyText(pixKey)}
        </strong>
      </span>
      <span className={styles.foot}>
        <KeyPill status={pixKey.status} />
        {isRegistered ? null : (
          <>
            <IconAlertTriangle size={18} aria-hidden />
            <span className="small">
              {pixKey.status === "PENDING_REMOVAL"
                ? "Esta chave está sendo excluída"
                : "Esta chave ainda não recebe pagamentos"}
            </span>
          </>
        )}
      </span>
    </button>
  );
}
