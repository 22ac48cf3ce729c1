import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { lazyPart } from "../shell/lazy-part.ts";
import { readSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { Bone } from "../ui/loading-state.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./account.module.css";
import { type TwoFactorAction, userSettingsQuery } from "./api.ts";

const EnableTwoFactorDialog = lazyPart(() => import("./enable-two-factor-dialog.tsx"));
const RecoveryCodesDialog = lazyPart(async () => ({
  default: (await import("./recovery-codes-dialog.tsx")).RecoveryCodesDialog,
}));
const DisableTwoFactorDialog = lazyPart(() => import("./disable-two-factor-dialog.tsx"));

/** FST-016: interval of reading the state, 1 s. */
export const confirmEveryMs = 1_000;
const unreadableText = "Erro ao buscar estado da 2FA";

interface TwoFactorStateProps {
  activateLabel: string;
  /** Also offers to turn the factor off; only the security page does. */
  withDeactivation?: boolean;
}

/**
 * Shows whether the second factor is on, with the action that changes it. Shows nothing until the settings are read.
 */
export function TwoFactorState({ activateLabel, withDeactivation = false }: TwoFactorStateProps) {
  const [dialog, setDialog] = useState<TwoFactorAction>();
  /** The server accepted the change; the page polls until the settings show it (FST-016). */
  const [codes, setCodes] = useState<readonly string[]>();
  const [awaited, setAwaited] = useState<boolean>();
  const settings = useQuery({
    ...userSettingsQuery,
    refetchInterval: (query) =>
      // An error stops the polling (SES-070); the person starts it again.
      query.state.status !== "error" && awaited !== undefined ? confirmEveryMs : false,
  });
  const isOn = settings.data?.hasTwoFactorEnabled;

  useEffect(() => {
    if (awaited === undefined || isOn !== awaited) return;
    setAwaited(undefined);
    toast.good(awaited ? "Autenticação ativada com sucesso!" : "Autenticação em 2 fatores desativada!");
  }, [awaited, isOn]);

  const { isError, errorUpdatedAt } = settings;
  useEffect(() => {
    if (isError && errorUpdatedAt) toast.bad(unreadableText);
  }, [isError, errorUpdatedAt]);

  function close(done: boolean, recoveryCodes?: readonly string[]) {
    setCodes(recoveryCodes);
    if (done) {
      setAwaited(dialog === "enable");
      void settings.refetch();
    }
    setDialog(undefined);
  }

  if (settings.isError) {
    return (
      <div className={styles.state}>
        <StatusPill color="red">{unreadableText}</StatusPill>
        <Button size="sm" busy={settings.isFetching} onClick={() => void settings.refetch()}>
          Tentar de novo
        </Button>
      </div>
    );
  }
  if (isOn === undefined) return <Bone width={140} height={36} />;
  const isEnforced = settings.data?.isTwoFactorEnforced ?? readSession()?.two_factor.enforced;
  return (
    <div className={styles.state} aria-live="polite">
      {awaited !== undefined ? (
        <StatusPill color="grey" shape="spinner">
          {awaited ? "Ativando…" : "Desativando…"}
        </StatusPill>
      ) : isOn ? (
        <>
          <StatusPill color="green" shape="check">
            Ativada
          </StatusPill>
          {withDeactivation && !isEnforced ? (
            <Button look="danger" size="sm" onClick={() => setDialog("disable")}>
              Desativar
            </Button>
          ) : null}
          {withDeactivation && isEnforced ? (
            <span className="small muted">Sua empresa exige que ela fique ativada.</span>
          ) : null}
        </>
      ) : (
        <>
          {withDeactivation ? (
            <StatusPill color="yellow" shape="ring">
              Desativada
            </StatusPill>
          ) : null}
          <Button look={withDeactivation ? "primary" : "default"} onClick={() => setDialog("enable")}>
            {activateLabel}
          </Button>
        </>
      )}
      <Suspense>
        {dialog === "enable" ? <EnableTwoFactorDialog onClose={close} /> : null}
        {codes ? <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} /> : null}
        {dialog === "disable" ? <DisableTwoFactorDialog onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
