import type { BodyOf, ResponseOf } from "@malote/contracts/contract";
import {
  announceInvoice,
  answerClaim,
  changeRails,
  listDirectory,
  listMails,
  listSimulatedInvoices,
  moveClock,
  raiseClaim,
  readSimulator,
  runPending,
  startOver,
} from "@malote/contracts/simulator";
import {
  announceNotice,
  changeOptions,
  endNotice,
  readInstallation,
  showNotices,
} from "@malote/contracts/simulator-installation";
import {
  announceInfraction,
  blockPix,
  depositPix,
  endPixBlock,
  listSimulatedInfractions,
  listSimulatedPayins,
  payCharge,
  reportInfraction,
  sendTed,
} from "@malote/contracts/simulator-payins";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call, errorSentence } from "../shell/call.ts";
import { toast } from "../ui/toasts.tsx";

export type Directory = ResponseOf<typeof listDirectory>;
export type DirectoryKey = Directory["keys"][number];
export type SimulatorState = ResponseOf<typeof readSimulator>;
export type Mail = ResponseOf<typeof listMails>["data"][number];
export type SimulatedInvoice = ResponseOf<typeof listSimulatedInvoices>["data"][number];
export type SimulatedInfractions = ResponseOf<typeof listSimulatedInfractions>;
type SimulatedPayins = ResponseOf<typeof listSimulatedPayins>;
export type SimulatedCharge = SimulatedPayins["charges"][number];
export type SimulatedPix = SimulatedPayins["received_pix"][number];
export type Installation = ResponseOf<typeof readInstallation>;
export type RailSettings = SimulatorState["rails"];

/** The simulator's state changes without clicks, so it is polled while it is open. */
const lookEveryMs = 2_000;

const keys = {
  directory: ["simulator", "directory"] as const,
  all: ["simulator"] as const,
  mails: ["simulator", "mails"] as const,
  invoices: ["simulator", "invoices"] as const,
  infractions: ["simulator", "infractions"] as const,
  payins: ["simulator", "payins"] as const,
  installation: ["simulator", "installation"] as const,
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

export const simulatedInfractionsQuery = queryOptions({
  queryKey: keys.infractions,
  queryFn: ({ signal }) => call(listSimulatedInfractions, { signal }),
  refetchInterval: ({ state }) => (state.status === "error" ? false : lookEveryMs),
});

export const directoryQuery = queryOptions({
  queryKey: keys.directory,
  queryFn: ({ signal }) => call(listDirectory, { signal }),
  refetchInterval: ({ state }) => (state.status === "error" ? false : lookEveryMs),
});

export const simulatedPayinsQuery = queryOptions({
  queryKey: keys.payins,
  queryFn: ({ signal }) => call(listSimulatedPayins, { signal }),
  refetchInterval: ({ state }) => (state.status === "error" ? false : lookEveryMs),
});

export const installationQuery = queryOptions({
  queryKey: keys.installation,
  queryFn: ({ signal }) => call(readInstallation, { signal }),
  refetchInterval: ({ state }) => (state.status === "error" ? false : lookEveryMs),
});

/** Fetches the state and the e-mails again after every action, and shows a failure. */
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
export const useAnnounceInvoice = () =>
  useAct(({ id, kind }: { id: string } & BodyOf<typeof announceInvoice>) =>
    call(announceInvoice, { params: { id }, body: { kind } }),
  );
export const useReportInfraction = () =>
  useAct((body: BodyOf<typeof reportInfraction>) => call(reportInfraction, { body }));
export const useAnnounceInfraction = () =>
  useAct(({ id, kind }: { id: string } & BodyOf<typeof announceInfraction>) =>
    call(announceInfraction, { params: { id }, body: { kind } }),
  );
export const usePayCharge = () => useAct((id: string) => call(payCharge, { params: { id }, body: {} }));
export const useSendTed = () => useAct((body: BodyOf<typeof sendTed>) => call(sendTed, { body }));
export const useBlockPix = () => useAct((body: BodyOf<typeof blockPix>) => call(blockPix, { body }));
export const useEndPixBlock = () => useAct((body: BodyOf<typeof endPixBlock>) => call(endPixBlock, { body }));
export const useChangeRails = () => useAct((body: Partial<RailSettings>) => call(changeRails, { body }));
export const useRaiseClaim = () => useAct((body: BodyOf<typeof raiseClaim>) => call(raiseClaim, { body }));
export const useAnswerClaim = () =>
  useAct(({ id, answer }: { id: string } & BodyOf<typeof answerClaim>) =>
    call(answerClaim, { params: { id }, body: { answer } }),
  );
export const useChangeOptions = () =>
  useAct(({ id, options }: { id: string; options: BodyOf<typeof changeOptions> }) =>
    call(changeOptions, { params: { id }, body: options }),
  );
export const useShowNotices = () => useAct((shows: boolean) => call(showNotices, { body: { shows } }));
export const useAnnounce = () =>
  useAct((body: BodyOf<typeof announceNotice>) => call(announceNotice, { body }));
export const useEndNotice = () => useAct((id: string) => call(endNotice, { params: { id } }));
export const useRunPending = () => useAct(() => call(runPending));
export const useStartOver = () => useAct(() => call(startOver));
