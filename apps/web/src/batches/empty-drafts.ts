/** Deletes drafts that 'Novo lote' created and that the person leaves without a payment or a name. */
import { deleteBatch } from "@malote/contracts/batch-life";
import type { Batch } from "@malote/contracts/batches";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { hasKeptForm } from "../payments/parts.ts";
import { call } from "../shell/call.ts";
import { batchKeys } from "./api.ts";
import { madeHere } from "./made-here.ts";
import { batchQuery } from "./open-batch-api.ts";

const isUntouched = (now: Batch | undefined, made: Pick<Batch, "name" | "revision">): now is Batch =>
  now?.status === "DRAFT" &&
  now.payments_count === 0 &&
  now.name === made.name &&
  now.revision === made.revision;

/** Deletes the draft when its screen closes. The server refuses when it was filled meanwhile. */
export function useTakeBackEmpty(id: string): void {
  const queryClient = useQueryClient();
  useEffect(
    () => () => {
      const made = madeHere.get(id);
      // A kept form is offered again when the draft is reopened.
      if (
        !made ||
        hasKeptForm(id) ||
        !isUntouched(queryClient.getQueryData<Batch>(batchQuery(id).queryKey), made)
      )
        return;
      madeHere.delete(id);
      const query = { removeDestinationBankAccounts: "false", revision: made.revision } as const;
      void call(deleteBatch, { params: { id }, query })
        .then(() => queryClient.removeQueries({ queryKey: batchKeys.one(id) }))
        // An empty draft that remains does no harm, and the person has left it.
        .catch(() => undefined)
        .finally(() => void queryClient.invalidateQueries({ queryKey: batchKeys.all }));
    },
    [id, queryClient],
  );
}
