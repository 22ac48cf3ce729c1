import { listBatches } from "@malote/contracts/batches";
import { IconBriefcase } from "@tabler/icons-react";
import { call } from "../shell/call.ts";
import type { Command, Feature } from "../shell/feature.ts";
import { formatMoney, todayIn } from "../ui/format.ts";
import { BatchLayer } from "./batch-layer.tsx";
import BatchListPage from "./batch-list-page.tsx";

/** The palette looks back a year: older batches are found on the page itself, by month. */
const searchBackDays = 365;
const foundMax = 6;

async function findBatches(search: string, signal: AbortSignal): Promise<Command[]> {
  const initialDate = todayIn(new Date(Date.now() - searchBackDays * 86_400_000));
  const { data } = await call(listBatches, {
    query: { initialDate, endDate: todayIn(), page: 0, search },
    signal,
  });
  return data.slice(0, foundMax).map((batch) => ({
    id: batch.id,
    label: batch.name,
    hint: formatMoney(batch.value),
    icon: IconBriefcase,
    to: `/pagamentos/lotes?lote=${batch.id}`,
  }));
}

export const batches: Feature = {
  pages: [
    {
      name: "BatchesPage",
      path: "/pagamentos/lotes",
      title: "Seus lotes",
      application: "payments",
      // Where everybody lands: it comes with the first load, instead of one more trip to the server after it.
      load: async () => ({ default: BatchListPage }),
    },
  ],
  layer: BatchLayer,
  nav: [{ group: "Pagamentos", label: "Lotes", to: "/pagamentos/lotes", icon: IconBriefcase }],
  searches: [
    { heading: "Lotes", find: findBatches, shows: (session) => session.application.id === "payments" },
  ],
};
