import { useRouter } from "@tanstack/react-router";
import { useRef } from "react";
import { useLayerSearch } from "../shell/layer-search.ts";

/**
 * Place inside an open batch, as search parameters. Opening a payment or a step adds a history entry; filters replace
 * it.
 */
export function useBatchAddress() {
  const [address, change] = useLayerSearch();
  const { history } = useRouter();
  const pushed = useRef(false);
  return {
    ...address,
    filter: (patch: { pagamentos?: string | null; dados?: string | null }) =>
      change(patch, { replace: true }),
    open(patch: { pagamento?: string; etapa?: string }, { replace = false } = {}) {
      pushed.current = !replace;
      change(patch, { replace });
    },
    /** Closes the payment or the step: by Back when this page opened it, otherwise by removing it from the address. */
    leave(name: "pagamento" | "etapa") {
      if (pushed.current) {
        pushed.current = false;
        history.back();
      } else change({ [name]: null }, { replace: true });
    },
    forget: (name: "pagamento" | "etapa") => {
      pushed.current = false;
      change({ [name]: null }, { replace: true });
    },
  };
}
