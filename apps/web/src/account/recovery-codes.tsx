import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { FailedNotice } from "../shell/failed-query.tsx";
import { Button } from "../ui/button.tsx";
import { Bone } from "../ui/loading-state.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./account.module.css";
import { recoveryCodesQuery, useMakeRecoveryCodes } from "./api.ts";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";

/** Shows how many recovery codes are left, and how to get new ones. */
export function RecoveryCodes() {
  const codes = useQuery(recoveryCodesQuery);
  const make = useMakeRecoveryCodes();
  const [shown, setShown] = useState<readonly string[]>();
  if (codes.isError)
    return <FailedNotice title="Não foi possível ler os códigos de recuperação" query={codes} />;
  const left = codes.data?.left;
  return (
    <div className={styles.state}>
      {left === undefined ? (
        <Bone width={160} height={20} />
      ) : (
        <p>
          {left === 0 ? "Nenhum código resta." : left === 1 ? "Resta 1 código." : `Restam ${left} códigos.`}
        </p>
      )}
      <Button
        busy={make.isPending}
        onClick={() =>
          make.mutate(undefined, {
            onSuccess: ({ recovery_codes }) => setShown(recovery_codes),
            onError: (error) => {
              const text = errorSentence(error, "Não foi possível gerar os códigos. Tente de novo.");
              if (text) toast.bad(text);
            },
          })
        }
      >
        Gerar novos códigos
      </Button>
      {shown ? <RecoveryCodesDialog codes={shown} onClose={() => setShown(undefined)} /> : null}
    </div>
  );
}
