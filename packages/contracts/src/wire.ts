/** The small shapes every call is made of. */
import { parseDate } from "@malote/domain/calendar";
import * as z from "zod";

export const id = z.uuid();
/** Whole centavos, exact in JSON. */
export const centavos = z.int();
export const positiveCentavos = z.int().positive();
/** A day within the supported years; any other is a typing error, and no calendar computes with it. */
export const date = z.iso.date().refine((text) => parseDate(text) !== undefined);
export const instant = z.iso.datetime();

export const byId = z.object({ id });

/** A date range and a page, as the lists of the requirements take them. */
export const rangeQuery = z.object({ initialDate: date, endDate: date });

/** An address a page may link to: `javascript:` is a URL as well. */
export const webAddress = z.url({ protocol: /^https?$/ });

/** Page numbers are counted from 0 unless a call says otherwise (SES-080). */
export const pageFromZero = z.coerce.number().int().min(0).max(1_000_000).default(0);
/** STM-016: the statement's page is sent as the current page plus one. */
export const pageFromOne = z.coerce.number().int().min(1).max(1_000_001).default(1);

/** A filter of several values, sent as a repeated parameter; none means all. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.union([item.transform((one) => [one]), z.array(item).max(50)]).default([]);

export const pagination = z.object({ itemsPerPage: z.int(), totalItems: z.int() });
export const listMetadata = z.object({ pagination });

/** A call that only did what was asked. */
export const done = z.object({ ok: z.literal(true) });

export const issue = z.object({
  code: z.string(),
  field: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  suggestion: z.record(z.string(), z.string()).optional(),
});

/** `id` is its ISPB; some have no code. */
export const bank = z.object({
  id: z.string(),
  code: z.string().nullable(),
  ispb: z.string(),
  name: z.string(),
  image: z.string().nullable(),
});
