import { type CheckpointId, createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import { queryOptions } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "./call.ts";

/**
 * Marks of what a person, or the company, did once (FST-021). Marks are never removed, so each is read until it exists.
 */
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

  /** FST-022. FST-025: `call` reports a failure, which blocks nothing. */
  create: async (id: CheckpointId): Promise<void> => {
    await call(createCheckpoint, { body: { location: id } }).catch(() => undefined);
  },
};

/** FST-024: records that a payment's details were opened, from any place. */
export function useOpenedPayment(): void {
  useEffect(() => void checkpoints.create("HAS_OPENED_PAYMENT"), []);
}
