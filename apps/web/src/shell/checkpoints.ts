import { type CheckpointId, createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import { queryOptions } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "./call.ts";

/** Marks of what a person, or the company, did once (FST-021). None becomes undone, so each is asked for once. */
export const checkpoints = {
  exists: (id: CheckpointId) =>
    queryOptions({
      queryKey: ["checkpoint", id],
      queryFn: async ({ signal }) =>
        (await call(readCheckpoint, { params: { id }, query: {}, signal })).exists,
      staleTime: Number.POSITIVE_INFINITY,
    }),

  existsInCompany: async (id: CheckpointId, signal?: AbortSignal): Promise<boolean> => {
    const asked = { params: { id }, query: { in_company: "true" as const }, ...(signal && { signal }) };
    return (await call(readCheckpoint, asked)).exists;
  },

  /** FST-022. FST-025: a failure is reported by the call itself and blocks nothing. */
  create: async (id: CheckpointId): Promise<void> => {
    await call(createCheckpoint, { body: { location: id } }).catch(() => undefined);
  },
};

/** FST-024: a payment's details are open, wherever they are opened from. */
export function useOpenedPayment(): void {
  useEffect(() => void checkpoints.create("HAS_OPENED_PAYMENT"), []);
}
