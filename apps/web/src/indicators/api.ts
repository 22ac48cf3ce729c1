import {
  readCountByStatus,
  readDistributionPerBank,
  readFailedPerStatusDescription,
  readQuantityPerDay,
  readQuantityPerMonth,
} from "@malote/contracts/indicators";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../shell/call.ts";

export interface Period {
  startDate: string;
  endDate: string;
}

const keyOf = (call: string, { startDate, endDate }: Period) =>
  ["indicators", call, startDate, endDate] as const;

/** Money that arrived, whether or not it may still be returned (IND-006). */
const arrived = "finished,transferred";

export const perMonthQuery = (period: Period) =>
  queryOptions({
    queryKey: keyOf("month", period),
    queryFn: ({ signal }) => call(readQuantityPerMonth, { query: { ...period, status: arrived }, signal }),
    placeholderData: keepPreviousData,
  });

export const perDayQuery = (period: Period) =>
  queryOptions({
    queryKey: keyOf("day", period),
    queryFn: ({ signal }) => call(readQuantityPerDay, { query: { ...period, status: arrived }, signal }),
    placeholderData: keepPreviousData,
  });

/** IND-007: one call each. */
export const perBankQuery = (period: Period, status: "finished" | "returned") =>
  queryOptions({
    queryKey: [...keyOf("bank", period), status],
    queryFn: ({ signal }) => call(readDistributionPerBank, { query: { ...period, status }, signal }),
    placeholderData: keepPreviousData,
  });

/** IND-008: counts finished and returned payments. */
export const byStatusQuery = (period: Period) =>
  queryOptions({
    queryKey: keyOf("status", period),
    queryFn: ({ signal }) =>
      call(readCountByStatus, { query: { ...period, status: "finished,returned" }, signal }),
    placeholderData: keepPreviousData,
  });

export const perReasonQuery = (period: Period) =>
  queryOptions({
    queryKey: keyOf("reason", period),
    queryFn: ({ signal }) => call(readFailedPerStatusDescription, { query: period, signal }),
    placeholderData: keepPreviousData,
  });
