import { type FileKindName, fileDownloads, listFiles } from "@malote/contracts/files";
import { listNotifications, markNotificationsSeen } from "@malote/contracts/notifications";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { saveReceipt } from "../receipts/index.ts";
import { call, errorSentence } from "../shell/call.ts";
import { saveReport } from "../shell/save-report.ts";
import { toast } from "../ui/toasts.tsx";

/**
 * Polls as a fallback for pages without the stream of changes, as behind a proxy that ends long answers. An error stops
 * it (SES-070).
 */
const pollMs = 60_000;
const makingPollMs = 2_000;

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: ({ signal }) => call(listNotifications, { signal }),
  refetchInterval: (query) => (query.state.status === "error" ? false : pollMs),
});

export const filesQuery = queryOptions({
  queryKey: ["files"],
  queryFn: ({ signal }) => call(listFiles, { signal }),
  refetchInterval: ({ state }) =>
    state.status !== "error" && state.data?.data.some((file) => file.state === "making")
      ? makingPollMs
      : false,
});

/** Leaves the list unchanged, so that notifications that were new on opening stay marked until it is closed. */
export function useMarkSeen() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (position: number) => call(markNotificationsSeen, { body: { position } }),
    onSuccess: () =>
      queryClient.setQueryData(notificationsQuery.queryKey, (before) => before && { ...before, unseen: 0 }),
  });
}

export function useDownload() {
  return useMutation({
    mutationFn: async ({ kind, id }: { kind: FileKindName; id: string; name: string }) =>
      call(fileDownloads[kind], { params: { id } }),
    // FST-024: a package of receipts does not count as a report.
    onSuccess: (file, { kind, name }) => (kind === "receipts" ? saveReceipt : saveReport)(file, name),
    onError: (error) => {
      const text = errorSentence(error, "Não foi possível baixar o arquivo. Tente de novo.");
      if (text) toast.bad(text);
    },
  });
}
