import { listBatches } from "@malote/contracts/batches";
import { IconBriefcase } from "@tabler/icons-react";
import { call } from "../shell/call.ts";
import { type Command, type Feature, page } from "../shell/feature.ts";
import { batchAddress } from "../shell/routes.ts";
import { blacklistQuery } from "../transfers/api.ts";
import { formatMoney, todayIn } from "../ui/format.ts";
import { systemNow } from "../ui/system-time.ts";
import { batchListQuery, paymentAccountsQuery } from "./api.ts";
import { BatchLayer } from "./batch-layer.tsx";
import BatchListPage from "./batch-list-page.tsx";
import { batchesSearch, filtersOf } from "./search.ts";

/** The palette searches one year; the list of batches finds older ones, by month. */
const searchBackDays = 365;
const foundMax = 6;

async function findBatches(search: string, signal: AbortSignal): Promise<Command[]> {
  const initialDate = todayIn(new Date(systemNow().getTime() - searchBackDays * 86_400_000));
  const { data } = await call(listBatches, {
    query: { initialDate, endDate: todayIn(), page: 0, search },
    signal,
  });
  return data.slice(0, foundMax).map((batch) => ({
    id: batch.id,
    label: batch.name,
    hint: formatMoney(batch.value),
    icon: IconBriefcase,
    to: batchAddress(batch.id),
  }));
}

export const batches: Feature = {
  pages: [
    page("BatchesPage", {
      title: "Seus lotes",
      search: batchesSearch,
      firstData: (queryClient, values) => queryClient.ensureQueryData(batchListQuery(filtersOf(values))),
      // This is the first page after sign-in, so it is part of the first bundle, which saves a round trip.
      load: async () => ({ default: BatchListPage }),
    }),
  ],
  layer: BatchLayer,
  nav: [{ group: "Pagamentos", label: "Lotes", to: "BatchesPage", icon: IconBriefcase }],
  preloads: [
    (queryClient) => queryClient.fetchQuery(blacklistQuery),
    (queryClient) => queryClient.fetchQuery(paymentAccountsQuery),
  ],
  searches: [
    { heading: "Lotes", find: findBatches, shows: (session) => session.application.id === "payments" },
  ],
};
