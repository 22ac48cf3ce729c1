import { useRouter } from "@tanstack/react-router";
import { useRef } from "react";
import { usePageSearch } from "../shell/use-page-search.ts";

function read(raw: Record<string, string | undefined>) {
  return {
    /** Filter of the payments; absent is the product's default for this batch. */
    pagamentos: raw["pagamentos"] ?? null,
    dados: raw["dados"]?.slice(0, 100) ?? "",
    /** The open payment's id, or `novo`. */
    pagamento: raw["pagamento"] ?? null,
    etapa: raw["etapa"] ?? null,
  };
}

/** Where the person is inside an open batch. Opening a payment or a step can be undone with Back; filters replace. */
export function useBatchAddress() {
  const [address, change] = usePageSearch(read);
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
    /** Leaves the payment or the step: by Back where it was opened from here, else by forgetting it. */
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
