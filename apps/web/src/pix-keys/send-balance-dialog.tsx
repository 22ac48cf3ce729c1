import { IconArrowLeft, IconBuildingBank } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { paymentAccountsQuery } from "../batches/api.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import type { SendStep } from "../shell/layer-search.ts";
import { pathOf } from "../shell/routes.ts";
import { useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { AccountChoice } from "./account-choice.tsx";
import { pixKeysQuery, usableKeys } from "./api.ts";
import { KeyChoice } from "./key-choice.tsx";
import styles from "./pix-keys.module.css";
import { maySeeKeyPage } from "./who.ts";

interface SendBalanceDialogProps {
  step: SendStep;
  onStep: (step: SendStep) => void;
  onClose: () => void;
}

/** Where to send money so that it becomes balance (SHL-011 to SHL-023, STM-032). */
export default function SendBalanceDialog(props: SendBalanceDialogProps) {
  return props.step === "pix" ? <PixStep {...props} /> : <BankStep {...props} />;
}

function PixStep({ onStep, onClose }: SendBalanceDialogProps) {
  const session = useSession();
  const navigate = useNavigate();
  const keys = useQuery(pixKeysQuery);
  const usable = usableKeys(keys.data?.data ?? []);
  // SHL-019: the settings offer the way back to the statement.
  const toKeys = () =>
    void navigate({ to: pathOf("PaymentsSettings"), state: { redirectedFrom: "StatementPage" } });
  return (
    <Dialog
      opened
      size="lg"
      title="Enviar saldo"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Fechar</Button>
          {keys.data && maySeeKeyPage(session) ? (
            <Button look="primary" onClick={toKeys}>
              {usable.length > 0 ? "Ver minhas chaves Pix" : "Adicionar chave Pix"}
            </Button>
          ) : null}
        </>
      }
    >
      {keys.isPending ? (
        <LoadingState label="Carregando as chaves Pix">
          <Bone height={240} />
        </LoadingState>
      ) : keys.isError ? (
        <FailedQuery title="Não foi possível carregar as chaves Pix" query={keys} />
      ) : (
        <KeyChoice keys={usable} />
      )}
      <div>
        <Button
          look="quiet"
          icon={<IconBuildingBank size={18} aria-hidden />}
          onClick={() => onStep("conta")}
        >
          Enviar para uma conta bancária
        </Button>
      </div>
    </Dialog>
  );
}

function BankStep({ onStep, onClose }: SendBalanceDialogProps) {
  const accounts = useQuery(paymentAccountsQuery);
  return (
    <Dialog
      opened
      size="lg"
      title="Enviar saldo"
      onClose={onClose}
      actions={<Button onClick={onClose}>Fechar</Button>}
    >
      <div className={styles.view}>
        <div>
          <Button look="quiet" size="sm" icon={<IconArrowLeft aria-hidden />} onClick={() => onStep("pix")}>
            Voltar para as chaves Pix
          </Button>
        </div>
        {accounts.isPending ? (
          <LoadingState label="Carregando as contas">
            <Bone height={220} />
          </LoadingState>
        ) : accounts.isError ? (
          <FailedQuery title="Não foi possível carregar as contas" query={accounts} />
        ) : (
          <AccountChoice of={accounts.data.data} />
        )}
      </div>
    </Dialog>
  );
}
