import { createPayoutReport } from "@malote/contracts/reports";
import { IconDownload } from "@tabler/icons-react";
import { useEffect } from "react";
import { type PayoutFilter, useRequestPayouts } from "../reports/api.ts";
import { checkpoints } from "../shell/checkpoints.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";

/** Exports what the filter finds (TRF-057, TRF-061). */
export function PayoutReportButton({ filter }: { filter: PayoutFilter }) {
  const ask = useRequestPayouts();
  const shows = may(createPayoutReport, useSession());
  useEffect(() => {
    if (shows) void checkpoints.create("HAS_SEEN_PAYOUT_REPORT_BUTTON");
  }, [shows]);
  if (!shows) return null;
  return (
    <Button icon={<IconDownload aria-hidden />} busy={ask.isPending} onClick={() => ask.mutate(filter)}>
      Exportar
    </Button>
  );
}
