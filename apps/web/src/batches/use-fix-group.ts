/** Shared behaviour of the dialogs that correct a group, once the call answers. */
import { toast } from "../ui/toasts.tsx";
import { countOf } from "./group-title.ts";
import { type IssueGroup, keyOfGroup, useFixIssueGroup } from "./open-batch-api.ts";
import { failWith } from "./use-batch-desk.ts";

export interface FixGroupDialogProps<Group = IssueGroup> {
  batchId: string;
  group: Group;
  onClose: () => void;
}

export function useFix({ batchId, group, onClose }: FixGroupDialogProps) {
  const fix = useFixIssueGroup(batchId);
  return {
    isPending: fix.isPending,
    close: () => (fix.isPending ? undefined : onClose()),
    /** `digest`: fingerprint of the payments as this dialog shows them. */
    send(answer: { set: Record<string, string> } | { ids: string[] }, digest = group.digest) {
      if (fix.isPending) return;
      fix.mutate(
        { ...keyOfGroup(group), ...answer, digest },
        {
          onSuccess: ({ fixed, still_wrong }) => {
            if (fixed > 0)
              toast.good(`${countOf(group, fixed)} ${fixed === 1 ? "corrigido" : "corrigidos"}.`);
            if (still_wrong > 0) {
              toast.info(
                `${countOf(group, still_wrong)} ainda ${still_wrong === 1 ? "tem" : "têm"} outro erro.`,
              );
            }
            onClose();
          },
          onError: failWith("Não foi possível corrigir os pagamentos. Tente de novo."),
        },
      );
    },
  };
}
