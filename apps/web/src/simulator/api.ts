import type { BodyOf, ResponseOf } from "@malote/contracts/contract";
import {
  changeRails,
  depositPix,
  listMails,
  listSimulatedInvoices,
  moveClock,
  readSimulator,
  runPending,
  startOver,
  tellOfInvoice,
} from "@malote/contracts/simulator";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call, errorSentence } from "../shell/call.ts";
import { toast } from "../ui/toasts.tsx";

export type SimulatorState = ResponseOf<typeof readSimulator>;
export type Mail = ResponseOf<typeof listMails>["data"][number];
export type SimulatedInvoice = ResponseOf<typeof listSimulatedInvoices>["data"][number];
export type RailSettings = SimulatorState["rails"];

/** Things happen by themselves in this world, so it is looked at while it is open. */
const lookEveryMs = 2_000;

const keys = {
  all: ["simulator"] as const,
  mails: ["simulator", "mails"] as const,
  invoices: ["simulator", "invoices"] as const,
};

export const simulatorQuery = queryOptions({
  queryKey: [...keys.all, "state"],
  queryFn: ({ signal }) => call(readSimulator, { signal }),
  refetchInterval: ({ state }) => (state.status === "error" ? false : lookEveryMs),
});

export const mailsQuery = queryOptions({
  queryKey: keys.mails,
  queryFn: ({ signal }) => call(listMails, { signal }),
  select: ({ data }) => data,
  refetchInterval: ({ state }) => (state.status === "error" ? false : lookEveryMs),
});

export const simulatedInvoicesQuery = queryOptions({
  queryKey: keys.invoices,
  queryFn: ({ signal }) => call(listSimulatedInvoices, { signal }),
  select: ({ data }) => data,
  refetchInterval: ({ state }) => (state.status === "error" ? false : lookEveryMs),
});

/** Whatever was done, the state and the letters are looked at anew, and a failure is said. */
function useAct<Given, Answer>(act: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onError: (error) => {
      const text = errorSentence(error);
      if (text) toast.bad(text);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.all }),
  });
}

export const useDeposit = () => useAct((body: BodyOf<typeof depositPix>) => call(depositPix, { body }));
export const useMoveClock = () => useAct((body: BodyOf<typeof moveClock>) => call(moveClock, { body }));
export const useTellOfInvoice = () =>
  useAct(({ id, kind }: { id: string } & BodyOf<typeof tellOfInvoice>) =>
    call(tellOfInvoice, { params: { id }, body: { kind } }),
  );
export const useChangeRails = () => useAct((body: Partial<RailSettings>) => call(changeRails, { body }));
export const useRunPending = () => useAct(() => call(runPending));
export const useStartOver = () => useAct(() => call(startOver));
