import type { DataInput, Validation } from "@malote/contracts/validation";
import {
  createValidation,
  downloadValidationBankReceipt,
  downloadValidationReceipt,
  listValidationBanks,
  listValidations,
  readValidation,
  readValidationCompanySettings,
} from "@malote/contracts/validation";
import { type ValidationStatus, validationPolling } from "@malote/domain/validation";
import type { ValidationType } from "@malote/domain/validation-types";
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../shell/call.ts";
import { daysOfMonth, type Month } from "../ui/format.ts";

const keys = {
  all: ["validations"] as const,
  one: (id: string) => [...keys.all, "one", id] as const,
};

/** Settings and banks are cached until logout or a change of application (SES-078). */
const untilLogout = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY };

export const validationSettingsQuery = queryOptions({
  queryKey: ["validation-settings"],
  queryFn: ({ signal }) => call(readValidationCompanySettings, { signal }),
  ...untilLogout,
});

/** VAL-011: a micro deposit is a Pix. */
export const validationBanksQuery = (type: ValidationType) =>
  queryOptions({
    queryKey: ["validation-banks", type],
    queryFn: ({ signal }) =>
      call(listValidationBanks, {
        query: { pix: type === "MICRO_DEPOSIT" ? "true" : "false" },
        signal,
      }),
    ...untilLogout,
  });

export interface ValidationFilters {
  search: string;
  status: ValidationStatus | null;
  type: ValidationType | null;
  month: Month;
}

/** Maps a shown status to the filter of the call: only a micro deposit can be without a result. */
const askedBy: Readonly<Record<ValidationStatus, object>> = {
  VALID: { valid: "true" },
  INVALID: { valid: "false" },
  VALIDATING: { microDepositValidated: "false" },
};

/** Polling interval of the list while one of its deposits is pending; an error stops it (SES-070). */
const waitingPollMs = 10_000;

/** VAL-021: only such a validation is polled. */
const isUnderWay = ({ type, micro_deposit_status, errors }: Validation): boolean =>
  type === "MICRO_DEPOSIT" && micro_deposit_status === null && errors.length === 0;

/** Pages are counted from 0. */
export const validationListQuery = ({ search, status, type, month }: ValidationFilters, page: number) =>
  queryOptions({
    queryKey: [...keys.all, "list", search, status, type, month, page],
    queryFn: ({ signal }) =>
      call(listValidations, {
        query: {
          page,
          ...daysOfMonth(month),
          ...(search && { searchTerm: search }),
          ...(type && { type }),
          ...(status && askedBy[status]),
        },
        signal,
      }),
    // A person who was sent here to wait sees the result arrive.
    refetchInterval: ({ state }) =>
      state.status !== "error" && state.data?.data.some(isUnderWay) ? waitingPollMs : false,
    placeholderData: keepPreviousData,
  });

export const validationQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(id),
    queryFn: ({ signal }) => call(readValidation, { params: { id }, signal }),
  });

/** One validation, polled while its deposit is pending, and no longer than VAL-022 allows. */
export function useValidation(id: string) {
  const queryClient = useQueryClient();
  const answersOf = () => queryClient.getQueryState(keys.one(id))?.dataUpdateCount ?? 0;
  const [before] = useState(answersOf);
  // The first answer is no repetition.
  const isPatient = () => answersOf() - before <= validationPolling.timesMax;
  const query = useQuery({
    ...validationQuery(id),
    refetchInterval: ({ state }) =>
      state.status !== "error" && state.data && isUnderWay(state.data) && isPatient()
        ? validationPolling.everyMs
        : false,
  });
  // `dataUpdatedAt` renders the last answer too, which has the same data as the one before.
  const { data, dataUpdatedAt } = query;
  return { query, hasGivenUp: data !== undefined && dataUpdatedAt > 0 && isUnderWay(data) && !isPatient() };
}

interface Request {
  type: ValidationType;
  body: DataInput;
  /** Generated before sending: a repeated call moves no second centavo. */
  idempotencyKey: string;
}

export function useCreateValidation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ type, body, idempotencyKey }: Request) =>
      call(createValidation, { query: { type }, body, idempotencyKey }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.all }),
  });
}

/** The download carries the session's token, so there is no address that opens the file by itself. */
export const fetchValidationBankReceipt = (id: string): Promise<Blob> =>
  call(downloadValidationBankReceipt, { params: { id } });

export const fetchValidationReceipt = (id: string): Promise<Blob> =>
  call(downloadValidationReceipt, { params: { id } });
