import { type FormEvent, useId, useState } from "react";
import type { WithdrawalAccount } from "../first-steps/index.ts";
import {
  type AccountProblems,
  emptyAccount,
  fieldIdOf,
  readRefusedFields,
  toWithdrawalAccount,
  useAccountProblems,
  WithdrawalAccountFields,
} from "../first-steps/parts.ts";
import { CallError, errorSentence } from "../shell/call.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { useSession } from "../shell/session.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { awaitsApprovalText } from "../ui/awaits-approval.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useDiscardQuestion } from "../ui/discard-question.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { toast } from "../ui/toasts.tsx";
import { useSaveWithdrawalAccount } from "./api.ts";

interface WithdrawalAccountDialogProps {
  saved: WithdrawalAccount | null;
  onClose: () => void;
}

/** SET-008, SET-009, SET-011: form of the withdrawal account. */
export default function WithdrawalAccountDialog({ saved, onClose }: WithdrawalAccountDialogProps) {
  const formId = useId();
  const session = useSession();
  const save = useSaveWithdrawalAccount();
  const saving = useOneAtATime();
  const [initial] = useState(() =>
    saved
      ? { ...saved, agency_digit: saved.agency_digit ?? "" }
      : emptyAccount(session?.company ?? { id: "", name: "", cpfCnpj: "", acceptedContract: true }),
  );
  const [values, setValues] = useState(initial);
  const [bankCode, setBankCode] = useState<string | null>(null);
  const [refused, setRefused] = useState<AccountProblems>({});
  const [attempt, setAttempt] = useState(0);
  const found = useAccountProblems(values, bankCode);
  const problems = { ...refused, ...(attempt > 0 && found) };
  const dirty = JSON.stringify(values) !== JSON.stringify(initial) && !save.isSuccess;
  useUnsavedWork(dirty);
  const { askBefore, question } = useDiscardQuestion(dirty, "A conta para saque ainda não foi salva.");
  const leave = () => (save.isPending ? undefined : askBefore(onClose));

  function submit(event: FormEvent) {
    event.preventDefault();
    setRefused({});
    setAttempt(attempt + 1);
    if (Object.keys(found).length > 0 || !saving.begin()) return;
    save.mutate(toWithdrawalAccount(values), {
      onSuccess: ({ awaits_approval }) => {
        toast.good(awaits_approval ? awaitsApprovalText : "Conta para saque salva.");
        onClose();
      },
      onError: (error) => {
        const fields = error instanceof CallError ? readRefusedFields(error.data) : {};
        setRefused(fields);
        setAttempt((before) => before + 1);
        const text = errorSentence(error, "Não foi possível salvar a conta para saque.");
        if (text && Object.keys(fields).length === 0) toast.bad(text);
      },
      onSettled: saving.end,
    });
  }
  return (
    <Dialog
      opened
      size="lg"
      title="Conta para saque"
      onClose={leave}
      actions={
        <>
          <Button onClick={leave} disabled={save.isPending}>
            Cancelar
          </Button>
          <Button look="primary" type="submit" form={formId} busy={save.isPending}>
            Salvar
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} style={{ display: "grid", gap: 16 }}>
        <ErrorSummary
          attempt={attempt}
          problems={Object.entries(problems).map(([field, message]) => ({
            fieldId: fieldIdOf(field),
            message,
          }))}
        />
        <WithdrawalAccountFields
          values={values}
          problems={problems}
          onBankCode={setBankCode}
          onChange={(changed) => {
            setValues({ ...values, ...changed });
            setRefused({});
          }}
        />
      </form>
      {question}
    </Dialog>
  );
}
