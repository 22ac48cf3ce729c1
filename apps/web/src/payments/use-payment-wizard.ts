import type { Issue } from "@malote/domain/issues";
import { useState } from "react";
import { errorSentence, issuesOf } from "../shell/call.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { awaitsApprovalText } from "../ui/awaits-approval.ts";
import { toast } from "../ui/toasts.tsx";
import { useKeptForm } from "./kept-form.ts";

/** Form of one kind of payment, as its own hook holds it. */
interface FormState<Form> {
  form: Form;
  /** Returns true when it may be sent. */
  submit: () => boolean;
  /** Adds issues that only the server could find. */
  mergeServer: (issues: readonly Issue[]) => void;
  /** Resets the form for another payment. */
  reset: (next: Form) => void;
}

interface Handlers {
  onSuccess: (saved: { errors: readonly unknown[]; awaits_approval?: boolean | undefined }) => void;
  onError: (error: Error) => void;
  onSettled: () => void;
}

interface PaymentWizard<Form> {
  batchId: string;
  /** Left out for a new payment. */
  paymentId: string | undefined;
  state: FormState<Form>;
  /** Content at opening, and the start of the next payment. */
  first: Form;
  emptyForm: Form;
  words: { invalid: string; saved: string | undefined; failed: string };
  save: (handlers: Handlers) => void;
  /** Called for the next payment, which needs an id of its own. */
  onAnother: () => void;
  onClose: () => void;
}

/** Saves one payment, or one after another: the common part of transfers and boletos. */
export function usePaymentWizard<Form>(given: PaymentWizard<Form>) {
  const { batchId, paymentId, state, first, emptyForm, words, save, onAnother, onClose } = given;
  const [start, setStart] = useState(first);
  const [savedHere, setSavedHere] = useState(0);
  const saving = useOneAtATime();
  const kept = useKeptForm({ keptIn: batchId, id: paymentId, form: state.form, start });

  function submit(andAnother: boolean) {
    if (!state.submit()) {
      toast.bad(words.invalid);
      return;
    }
    if (!saving.begin()) return;
    save({
      onSuccess: (saved) => {
        const errors = saved.errors as readonly Issue[];
        if (errors.length > 0) {
          state.mergeServer(errors);
          toast.bad(words.invalid);
          return;
        }
        kept.forget();
        const done = saved.awaits_approval ? awaitsApprovalText : words.saved;
        if (done) toast.good(done);
        if (!andAnother) {
          onClose();
          return;
        }
        onAnother();
        setStart(emptyForm);
        kept.settle();
        setSavedHere((before) => before + 1);
        state.reset(emptyForm);
      },
      onError: (error) => {
        const refused = issuesOf(error);
        if (refused) state.mergeServer(refused);
        const text = errorSentence(error, words.failed);
        if (text) toast.bad(refused ? words.invalid : text);
      },
      onSettled: saving.end,
    });
  }
  return {
    submit,
    /** Number of payments saved while it is open. */
    savedHere,
    dirty: kept.dirty,
    offer: kept.offer,
    leave() {
      kept.forget();
      onClose();
    },
  };
}
